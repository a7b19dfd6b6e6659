//! Joints recognised by the names of various tools.

use glam::Vec3;
use sinew::{Joint, Skeleton, Transform};
use sinew_rig::retarget::{Role, find_roles};

/// A skeleton from chains of names; each chain after the first starts at an existing joint.
fn skeleton(chains: &[&str]) -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    for chain in chains {
        let mut above: Option<usize> = None;
        for name in chain.split(" > ").map(str::trim) {
            let known = joints.iter().position(|j| j.name == name);
            above = Some(known.unwrap_or_else(|| {
                joints.push(Joint::new(
                    name,
                    above,
                    Transform::from_translation(Vec3::Y),
                ));
                joints.len() - 1
            }));
        }
    }
    Skeleton::new(joints).expect("one tree").0
}

/// Checks all found roles, as `role = name`, in any order.
#[track_caller]
fn expect(chains: &[&str], expected: &str) {
    let skeleton = skeleton(chains);
    let roles = find_roles(&skeleton);
    let text = |(role, joint): (Role, usize)| format!("{role} = {}", skeleton.name(joint));
    let mut found: Vec<String> = roles.iter().map(text).collect();
    let lines = expected.lines().flat_map(|l| l.split(';')).map(str::trim);
    let mut expected: Vec<String> = lines.filter(|l| !l.is_empty()).map(String::from).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

#[test]
fn mixamo() {
    expect(
        &[
            "mixamorig:Hips > mixamorig:Spine > mixamorig:Spine1 > mixamorig:Spine2 > mixamorig:Neck > mixamorig:Head > mixamorig:HeadTop_End",
            "mixamorig:Spine2 > mixamorig:LeftShoulder > mixamorig:LeftArm > mixamorig:LeftForeArm > mixamorig:LeftHand > mixamorig:LeftHandThumb1 > mixamorig:LeftHandThumb2 > mixamorig:LeftHandThumb3 > mixamorig:LeftHandThumb4",
            "mixamorig:LeftHand > mixamorig:LeftHandPinky1 > mixamorig:LeftHandPinky2 > mixamorig:LeftHandPinky3 > mixamorig:LeftHandPinky4",
            "mixamorig:Spine2 > mixamorig:RightShoulder > mixamorig:RightArm > mixamorig:RightForeArm > mixamorig:RightHand",
            "mixamorig:Hips > mixamorig:LeftUpLeg > mixamorig:LeftLeg > mixamorig:LeftFoot > mixamorig:LeftToeBase > mixamorig:LeftToe_End",
            "mixamorig:Hips > mixamorig:RightUpLeg > mixamorig:RightLeg > mixamorig:RightFoot > mixamorig:RightToeBase",
        ],
        "hips = mixamorig:Hips; spine 1 = mixamorig:Spine; spine 2 = mixamorig:Spine1; spine 3 = mixamorig:Spine2
         neck 1 = mixamorig:Neck; head = mixamorig:Head
         left shoulder = mixamorig:LeftShoulder; left upper arm = mixamorig:LeftArm; left lower arm = mixamorig:LeftForeArm; left hand = mixamorig:LeftHand
         left thumb 1 = mixamorig:LeftHandThumb1; left thumb 2 = mixamorig:LeftHandThumb2; left thumb 3 = mixamorig:LeftHandThumb3
         left little 1 = mixamorig:LeftHandPinky1; left little 2 = mixamorig:LeftHandPinky2; left little 3 = mixamorig:LeftHandPinky3
         right shoulder = mixamorig:RightShoulder; right upper arm = mixamorig:RightArm; right lower arm = mixamorig:RightForeArm; right hand = mixamorig:RightHand
         left upper leg = mixamorig:LeftUpLeg; left lower leg = mixamorig:LeftLeg; left foot = mixamorig:LeftFoot; left toes = mixamorig:LeftToeBase
         right upper leg = mixamorig:RightUpLeg; right lower leg = mixamorig:RightLeg; right foot = mixamorig:RightFoot; right toes = mixamorig:RightToeBase",
    );
}

#[test]
fn unreal_without_twist_and_ik_joints() {
    expect(
        &[
            "root > pelvis > spine_01 > spine_02 > spine_03 > neck_01 > head",
            "spine_03 > clavicle_l > upperarm_l > lowerarm_l > hand_l > index_metacarpal_l > index_01_l > index_02_l > index_03_l",
            "upperarm_l > upperarm_twist_01_l",
            "lowerarm_l > lowerarm_twist_01_l",
            "spine_03 > clavicle_r > upperarm_r > lowerarm_r > hand_r > thumb_01_r > thumb_02_r > thumb_03_r",
            "pelvis > thigh_l > thigh_twist_01_l",
            "thigh_l > calf_l > foot_l > ball_l",
            "calf_l > calf_twist_01_l",
            "pelvis > thigh_r > calf_r > foot_r > ball_r",
            "root > ik_foot_root > ik_foot_l",
            "root > ik_hand_root > ik_hand_gun > ik_hand_l",
        ],
        "hips = pelvis; spine 1 = spine_01; spine 2 = spine_02; spine 3 = spine_03; neck 1 = neck_01; head = head
         left shoulder = clavicle_l; left upper arm = upperarm_l; left lower arm = lowerarm_l; left hand = hand_l
         left index 1 = index_01_l; left index 2 = index_02_l; left index 3 = index_03_l
         right shoulder = clavicle_r; right upper arm = upperarm_r; right lower arm = lowerarm_r; right hand = hand_r
         right thumb 1 = thumb_01_r; right thumb 2 = thumb_02_r; right thumb 3 = thumb_03_r
         left upper leg = thigh_l; left lower leg = calf_l; left foot = foot_l; left toes = ball_l
         right upper leg = thigh_r; right lower leg = calf_r; right foot = foot_r; right toes = ball_r",
    );
}

#[test]
fn rigify_whose_hips_neck_and_head_are_called_spine() {
    expect(
        &[
            "DEF-spine > DEF-spine.001 > DEF-spine.002 > DEF-spine.003 > DEF-spine.004 > DEF-spine.005 > DEF-spine.006",
            "DEF-spine > DEF-pelvis.L",
            "DEF-spine > DEF-thigh.L > DEF-thigh.L.001 > DEF-shin.L > DEF-shin.L.001 > DEF-foot.L > DEF-toe.L",
            "DEF-spine > DEF-thigh.R > DEF-thigh.R.001 > DEF-shin.R > DEF-shin.R.001 > DEF-foot.R > DEF-toe.R",
            "DEF-spine.003 > DEF-shoulder.L > DEF-upper_arm.L > DEF-upper_arm.L.001 > DEF-forearm.L > DEF-forearm.L.001 > DEF-hand.L > DEF-palm.01.L > DEF-f_index.01.L > DEF-f_index.02.L > DEF-f_index.03.L",
            "DEF-spine.003 > DEF-shoulder.R > DEF-upper_arm.R > DEF-forearm.R > DEF-hand.R",
            "DEF-spine.003 > DEF-breast.L",
        ],
        "hips = DEF-spine; spine 1 = DEF-spine.001; spine 2 = DEF-spine.002; spine 3 = DEF-spine.003
         neck 1 = DEF-spine.004; neck 2 = DEF-spine.005; head = DEF-spine.006
         left upper leg = DEF-thigh.L; left lower leg = DEF-shin.L; left foot = DEF-foot.L; left toes = DEF-toe.L
         right upper leg = DEF-thigh.R; right lower leg = DEF-shin.R; right foot = DEF-foot.R; right toes = DEF-toe.R
         left shoulder = DEF-shoulder.L; left upper arm = DEF-upper_arm.L; left lower arm = DEF-forearm.L; left hand = DEF-hand.L
         left index 1 = DEF-f_index.01.L; left index 2 = DEF-f_index.02.L; left index 3 = DEF-f_index.03.L
         right shoulder = DEF-shoulder.R; right upper arm = DEF-upper_arm.R; right lower arm = DEF-forearm.R; right hand = DEF-hand.R",
    );
}

#[test]
fn vroid_and_the_humanoid_names_of_vrm() {
    expect(
        &[
            "Root > J_Bip_C_Hips > J_Bip_C_Spine > J_Bip_C_Chest > J_Bip_C_UpperChest > J_Bip_C_Neck > J_Bip_C_Head > J_Sec_Hair1_01",
            "J_Bip_C_UpperChest > J_Bip_L_Shoulder > J_Bip_L_UpperArm > J_Bip_L_LowerArm > J_Bip_L_Hand > J_Bip_L_Little1 > J_Bip_L_Little2 > J_Bip_L_Little3",
            "J_Bip_C_UpperChest > J_Bip_R_Shoulder > J_Bip_R_UpperArm > J_Bip_R_LowerArm > J_Bip_R_Hand",
            "J_Bip_C_UpperChest > J_Sec_L_Bust1",
            "J_Bip_C_Hips > J_Bip_L_UpperLeg > J_Bip_L_LowerLeg > J_Bip_L_Foot > J_Bip_L_ToeBase",
            "J_Bip_C_Hips > J_Bip_R_UpperLeg > J_Bip_R_LowerLeg > J_Bip_R_Foot > J_Bip_R_ToeBase",
        ],
        "hips = J_Bip_C_Hips; spine 1 = J_Bip_C_Spine; spine 2 = J_Bip_C_Chest; spine 3 = J_Bip_C_UpperChest; neck 1 = J_Bip_C_Neck; head = J_Bip_C_Head
         left shoulder = J_Bip_L_Shoulder; left upper arm = J_Bip_L_UpperArm; left lower arm = J_Bip_L_LowerArm; left hand = J_Bip_L_Hand
         left little 1 = J_Bip_L_Little1; left little 2 = J_Bip_L_Little2; left little 3 = J_Bip_L_Little3
         right shoulder = J_Bip_R_Shoulder; right upper arm = J_Bip_R_UpperArm; right lower arm = J_Bip_R_LowerArm; right hand = J_Bip_R_Hand
         left upper leg = J_Bip_L_UpperLeg; left lower leg = J_Bip_L_LowerLeg; left foot = J_Bip_L_Foot; left toes = J_Bip_L_ToeBase
         right upper leg = J_Bip_R_UpperLeg; right lower leg = J_Bip_R_LowerLeg; right foot = J_Bip_R_Foot; right toes = J_Bip_R_ToeBase",
    );
    expect(
        &[
            "hips > spine > chest > upperChest > neck > head > leftEye",
            "upperChest > leftShoulder > leftUpperArm > leftLowerArm > leftHand > leftThumbMetacarpal > leftThumbProximal > leftThumbDistal",
            "leftHand > leftIndexProximal > leftIndexIntermediate > leftIndexDistal",
            "hips > leftUpperLeg > leftLowerLeg > leftFoot > leftToes",
            "hips > rightUpperLeg > rightLowerLeg > rightFoot > rightToes",
        ],
        "hips = hips; spine 1 = spine; spine 2 = chest; spine 3 = upperChest; neck 1 = neck; head = head
         left shoulder = leftShoulder; left upper arm = leftUpperArm; left lower arm = leftLowerArm; left hand = leftHand
         left thumb 1 = leftThumbMetacarpal; left thumb 2 = leftThumbProximal; left thumb 3 = leftThumbDistal
         left index 1 = leftIndexProximal; left index 2 = leftIndexIntermediate; left index 3 = leftIndexDistal
         left upper leg = leftUpperLeg; left lower leg = leftLowerLeg; left foot = leftFoot; left toes = leftToes
         right upper leg = rightUpperLeg; right lower leg = rightLowerLeg; right foot = rightFoot; right toes = rightToes",
    );
}

#[test]
fn cmu_of_motionbuilder_and_of_acclaim() {
    expect(
        &[
            "Hips > LHipJoint > LeftUpLeg > LeftLeg > LeftFoot > LeftToeBase > LeftToeBase_end",
            "Hips > RHipJoint > RightUpLeg > RightLeg > RightFoot > RightToeBase",
            "Hips > LowerBack > Spine > Spine1 > Neck > Neck1 > Head > Head_end",
            "Spine1 > LeftShoulder > LeftArm > LeftForeArm > LeftHand > LeftFingerBase > LeftHandIndex1",
            "LeftHand > LThumb",
            "Spine1 > RightShoulder > RightArm > RightForeArm > RightHand",
        ],
        "hips = Hips; spine 1 = LowerBack; spine 2 = Spine; spine 3 = Spine1; neck 1 = Neck; neck 2 = Neck1; head = Head
         left upper leg = LeftUpLeg; left lower leg = LeftLeg; left foot = LeftFoot; left toes = LeftToeBase
         right upper leg = RightUpLeg; right lower leg = RightLeg; right foot = RightFoot; right toes = RightToeBase
         left shoulder = LeftShoulder; left upper arm = LeftArm; left lower arm = LeftForeArm; left hand = LeftHand
         left index 1 = LeftHandIndex1; left thumb 1 = LThumb
         right shoulder = RightShoulder; right upper arm = RightArm; right lower arm = RightForeArm; right hand = RightHand",
    );
    expect(
        &[
            "root > lhipjoint > lfemur > ltibia > lfoot > ltoes",
            "root > rhipjoint > rfemur > rtibia > rfoot > rtoes",
            "root > lowerback > upperback > thorax > lowerneck > upperneck > head",
            "thorax > lclavicle > lhumerus > lradius > lwrist > lhand > lfingers",
            "lwrist > lthumb",
            "thorax > rclavicle > rhumerus > rradius > rwrist > rhand",
        ],
        "hips = root; spine 1 = lowerback; spine 2 = upperback; spine 3 = thorax; neck 1 = lowerneck; neck 2 = upperneck; head = head
         left upper leg = lfemur; left lower leg = ltibia; left foot = lfoot; left toes = ltoes
         right upper leg = rfemur; right lower leg = rtibia; right foot = rfoot; right toes = rtoes
         left shoulder = lclavicle; left upper arm = lhumerus; left lower arm = lradius; left hand = lhand
         right shoulder = rclavicle; right upper arm = rhumerus; right lower arm = rradius; right hand = rhand",
    );
}

#[test]
fn xsens_with_its_vertebrae() {
    expect(
        &[
            "Pelvis > L5 > L3 > T12 > T8 > Neck > Head",
            "T8 > RightShoulder > RightUpperArm > RightForeArm > RightHand",
            "T8 > LeftShoulder > LeftUpperArm > LeftForeArm > LeftHand",
            "Pelvis > RightUpperLeg > RightLowerLeg > RightFoot > RightToe",
            "Pelvis > LeftUpperLeg > LeftLowerLeg > LeftFoot > LeftToe",
        ],
        "hips = Pelvis; spine 1 = L5; spine 2 = L3; spine 3 = T12; spine 4 = T8; neck 1 = Neck; head = Head
         right shoulder = RightShoulder; right upper arm = RightUpperArm; right lower arm = RightForeArm; right hand = RightHand
         left shoulder = LeftShoulder; left upper arm = LeftUpperArm; left lower arm = LeftForeArm; left hand = LeftHand
         right upper leg = RightUpperLeg; right lower leg = RightLowerLeg; right foot = RightFoot; right toes = RightToe
         left upper leg = LeftUpperLeg; left lower leg = LeftLowerLeg; left foot = LeftFoot; left toes = LeftToe",
    );
}

#[test]
fn vicon_by_bones() {
    expect(
        &[
            "pelvis > thorax > head",
            "thorax > Lclavicle > Lhumerus > Lradius > Lhand",
            "thorax > Rclavicle > Rhumerus > Rradius > Rhand",
            "pelvis > Lfemur > Ltibia > Lfoot > Ltoes",
            "pelvis > Rfemur > Rtibia > Rfoot > Rtoes",
        ],
        "hips = pelvis; spine 1 = thorax; head = head
         left shoulder = Lclavicle; left upper arm = Lhumerus; left lower arm = Lradius; left hand = Lhand
         right shoulder = Rclavicle; right upper arm = Rhumerus; right lower arm = Rradius; right hand = Rhand
         left upper leg = Lfemur; left lower leg = Ltibia; left foot = Lfoot; left toes = Ltoes
         right upper leg = Rfemur; right lower leg = Rtibia; right foot = Rfoot; right toes = Rtoes",
    );
}

#[test]
fn biped_whose_legs_and_collarbones_hang_from_other_joints() {
    expect(
        &[
            "Bip01 > Bip01 Pelvis > Bip01 Spine > Bip01 Spine1 > Bip01 Neck > Bip01 Head > Bip01 HeadNub",
            "Bip01 Neck > Bip01 L Clavicle > Bip01 L UpperArm > Bip01 L Forearm > Bip01 L Hand > Bip01 L Finger0 > Bip01 L Finger01 > Bip01 L Finger02",
            "Bip01 L Hand > Bip01 L Finger1 > Bip01 L Finger11 > Bip01 L Finger1Nub",
            "Bip01 Neck > Bip01 R Clavicle > Bip01 R UpperArm > Bip01 R Forearm > Bip01 R Hand",
            "Bip01 Spine > Bip01 L Thigh > Bip01 L Calf > Bip01 L Foot > Bip01 L Toe0",
            "Bip01 Spine > Bip01 R Thigh > Bip01 R Calf > Bip01 R Foot > Bip01 R Toe0",
        ],
        "hips = Bip01 Pelvis; spine 1 = Bip01 Spine; spine 2 = Bip01 Spine1; neck 1 = Bip01 Neck; head = Bip01 Head
         left shoulder = Bip01 L Clavicle; left upper arm = Bip01 L UpperArm; left lower arm = Bip01 L Forearm; left hand = Bip01 L Hand
         left thumb 1 = Bip01 L Finger0; left thumb 2 = Bip01 L Finger01; left thumb 3 = Bip01 L Finger02
         left index 1 = Bip01 L Finger1; left index 2 = Bip01 L Finger11
         right shoulder = Bip01 R Clavicle; right upper arm = Bip01 R UpperArm; right lower arm = Bip01 R Forearm; right hand = Bip01 R Hand
         left upper leg = Bip01 L Thigh; left lower leg = Bip01 L Calf; left foot = Bip01 L Foot; left toes = Bip01 L Toe0
         right upper leg = Bip01 R Thigh; right lower leg = Bip01 R Calf; right foot = Bip01 R Foot; right toes = Bip01 R Toe0",
    );
}

#[test]
fn character_creator_whose_neck_twists() {
    expect(
        &[
            "CC_Base_BoneRoot > CC_Base_Hip > CC_Base_Waist > CC_Base_Spine01 > CC_Base_Spine02 > CC_Base_NeckTwist01 > CC_Base_NeckTwist02 > CC_Base_Head",
            "CC_Base_Hip > CC_Base_Pelvis > CC_Base_L_Thigh > CC_Base_L_Calf > CC_Base_L_Foot > CC_Base_L_ToeBase > CC_Base_L_BigToe1",
            "CC_Base_L_Thigh > CC_Base_L_ThighTwist01",
            "CC_Base_Pelvis > CC_Base_R_Thigh > CC_Base_R_Calf > CC_Base_R_Foot > CC_Base_R_ToeBase",
            "CC_Base_Spine02 > CC_Base_L_Clavicle > CC_Base_L_Upperarm > CC_Base_L_Forearm > CC_Base_L_Hand > CC_Base_L_Mid1 > CC_Base_L_Mid2 > CC_Base_L_Mid3",
            "CC_Base_Spine02 > CC_Base_R_Clavicle > CC_Base_R_Upperarm > CC_Base_R_Forearm > CC_Base_R_Hand",
        ],
        "hips = CC_Base_Hip; spine 1 = CC_Base_Waist; spine 2 = CC_Base_Spine01; spine 3 = CC_Base_Spine02
         neck 1 = CC_Base_NeckTwist01; neck 2 = CC_Base_NeckTwist02; head = CC_Base_Head
         left upper leg = CC_Base_L_Thigh; left lower leg = CC_Base_L_Calf; left foot = CC_Base_L_Foot; left toes = CC_Base_L_ToeBase
         right upper leg = CC_Base_R_Thigh; right lower leg = CC_Base_R_Calf; right foot = CC_Base_R_Foot; right toes = CC_Base_R_ToeBase
         left shoulder = CC_Base_L_Clavicle; left upper arm = CC_Base_L_Upperarm; left lower arm = CC_Base_L_Forearm; left hand = CC_Base_L_Hand
         left middle 1 = CC_Base_L_Mid1; left middle 2 = CC_Base_L_Mid2; left middle 3 = CC_Base_L_Mid3
         right shoulder = CC_Base_R_Clavicle; right upper arm = CC_Base_R_Upperarm; right lower arm = CC_Base_R_Forearm; right hand = CC_Base_R_Hand",
    );
}

#[test]
fn poser_and_joints_named_for_where_they_bend() {
    expect(
        &[
            "hip > abdomen > chest > neck > head > leftEye",
            "chest > rCollar > rShldr > rForeArm > rHand > rMid1 > rMid2",
            "chest > lCollar > lShldr > lForeArm > lHand",
            "hip > rButtock > rThigh > rShin > rFoot",
            "hip > lButtock > lThigh > lShin > lFoot",
        ],
        "hips = hip; spine 1 = abdomen; spine 2 = chest; neck 1 = neck; head = head
         right shoulder = rCollar; right upper arm = rShldr; right lower arm = rForeArm; right hand = rHand
         right middle 1 = rMid1; right middle 2 = rMid2
         left shoulder = lCollar; left upper arm = lShldr; left lower arm = lForeArm; left hand = lHand
         right upper leg = rThigh; right lower leg = rShin; right foot = rFoot
         left upper leg = lThigh; left lower leg = lShin; left foot = lFoot",
    );
    expect(
        &[
            "Pelvis > L_Hip > L_Knee > L_Ankle > L_Foot",
            "Pelvis > R_Hip > R_Knee > R_Ankle > R_Foot",
            "Pelvis > Spine1 > Spine2 > Spine3 > Neck > Head",
            "Spine3 > L_Collar > L_Shoulder > L_Elbow > L_Wrist > L_Hand",
            "Spine3 > R_Collar > R_Shoulder > R_Elbow > R_Wrist",
        ],
        "hips = Pelvis; spine 1 = Spine1; spine 2 = Spine2; spine 3 = Spine3; neck 1 = Neck; head = Head
         left upper leg = L_Hip; left lower leg = L_Knee; left foot = L_Ankle; left toes = L_Foot
         right upper leg = R_Hip; right lower leg = R_Knee; right foot = R_Ankle; right toes = R_Foot
         left shoulder = L_Collar; left upper arm = L_Shoulder; left lower arm = L_Elbow; left hand = L_Hand
         right shoulder = R_Collar; right upper arm = R_Shoulder; right lower arm = R_Elbow; right hand = R_Wrist",
    );
}

#[test]
fn our_own() {
    expect(
        &[
            "hips > spine_1 > spine_2 > chest > neck > head",
            "chest > left_shoulder > left_upper_arm > left_lower_arm > left_hand > left_thumb_1 > left_thumb_2 > left_thumb_3",
            "chest > right_shoulder > right_upper_arm > right_lower_arm > right_hand",
            "right_hand > sword",
            "hips > left_upper_leg > left_lower_leg > left_foot > left_toes",
            "hips > right_upper_leg > right_lower_leg > right_foot > right_toes",
        ],
        "hips = hips; spine 1 = spine_1; spine 2 = spine_2; spine 3 = chest; neck 1 = neck; head = head
         left shoulder = left_shoulder; left upper arm = left_upper_arm; left lower arm = left_lower_arm; left hand = left_hand
         left thumb 1 = left_thumb_1; left thumb 2 = left_thumb_2; left thumb 3 = left_thumb_3
         right shoulder = right_shoulder; right upper arm = right_upper_arm; right lower arm = right_lower_arm; right hand = right_hand
         left upper leg = left_upper_leg; left lower leg = left_lower_leg; left foot = left_foot; left toes = left_toes
         right upper leg = right_upper_leg; right lower leg = right_lower_leg; right foot = right_foot; right toes = right_toes",
    );
}

#[test]
fn what_is_no_person_has_no_hips() {
    for chains in [
        ["Bone > Bone.001 > Bone.002"],
        ["wheel > axle > chassis"],
        ["root > tail_01 > tail_02"],
    ] {
        assert!(find_roles(&skeleton(&chains)).joint(Role::Hips).is_none());
    }
}

#[test]
fn stated_roles_are_taken_and_names_are_not_read() {
    use sinew_rig::retarget::Side;
    let chains = [
        "Hips > Spine > Head",
        "Hips > LeftUpLeg > LeftLeg > LeftFoot",
        "Hips > RightUpLeg > RightLeg > RightFoot",
    ];
    let stated = |roles: &[(&str, Role)]| {
        let mut joints = skeleton(&chains).joints();
        for (name, role) in roles {
            let joint = joints.iter_mut().find(|joint| joint.name == *name);
            joint.expect(name).role = Some(*role);
        }
        Skeleton::new(joints).expect("the same tree").0
    };
    // Sides swapped, and no spine.
    let body = stated(&[
        ("Hips", Role::Hips),
        ("Head", Role::Head),
        ("LeftUpLeg", Role::UpperLeg(Side::Right)),
        ("RightUpLeg", Role::UpperLeg(Side::Left)),
    ]);
    let roles = find_roles(&body);
    assert_eq!(roles.len(), 4);
    let named = |role| roles.joint(role).map(|joint| body.name(joint));
    assert_eq!(named(Role::UpperLeg(Side::Left)), Some("RightUpLeg"));
    assert_eq!(named(Role::UpperLeg(Side::Right)), Some("LeftUpLeg"));
    let some = stated(&[("LeftUpLeg", Role::UpperLeg(Side::Right))]);
    assert_eq!(find_roles(&some), find_roles(&skeleton(&chains)));
}
