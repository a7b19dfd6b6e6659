//! Sines and similar functions come from the crate `libm`, for the same bits everywhere.

const SAYS: &str = "libm gives other bits than those that poses, clips and stored results were made with. Either go \
     back (`cargo update -p libm --precise 0.2.16`), or take the new ones: put the values of this message here, run \
     `cargo test --workspace`, look at every stored result that changes, and say in the change that bits changed";

const ANGLES: [f64; 10] = [
    1e-9,
    0.1,
    0.5,
    std::f64::consts::FRAC_PI_4,
    1.0,
    std::f64::consts::FRAC_PI_2,
    2.5,
    std::f64::consts::PI,
    40.0,
    1e6,
];

const PAIRS: [[f64; 2]; 8] = [
    [0.1, 1.0],
    [1.0, 0.1],
    [-0.7, 0.3],
    [0.3, -0.7],
    [-1.0, -1e-9],
    [1e-300, 1.0],
    [5.0, 12.0],
    [2.5, 1e6],
];

/// Bits of a number, in the lower half for `f32`.
trait Bits {
    fn bits(self) -> u64;
}

impl Bits for f64 {
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Bits for f32 {
    fn bits(self) -> u64 {
        u64::from(self.to_bits())
    }
}

/// Checks bits at chosen arguments, and a hash over many more.
fn check<T: Bits>(
    name: &str,
    wanted: &[u64],
    wanted_sum: u64,
    places: impl Iterator<Item = T>,
    way: impl Iterator<Item = T>,
) {
    let found: Vec<u64> = places.map(T::bits).collect();
    let sum = way.fold(0xcbf2_9ce4_8422_2325, |sum: u64, x| {
        (sum ^ x.bits()).wrapping_mul(0x0000_0100_0000_01b3)
    });
    assert!(
        found == wanted && sum == wanted_sum,
        "{SAYS}\n{name}: {found:#x?}, {sum:#x}"
    );
}

fn along() -> impl Iterator<Item = f64> {
    (-10_000..10_000).map(|k| f64::from(k) * 0.001_37)
}

fn one(name: &str, f: fn(f64) -> f64, wanted: &[u64], sum: u64) {
    check(name, wanted, sum, ANGLES.into_iter().map(f), along().map(f));
}

fn one_f32(name: &str, f: fn(f32) -> f32, wanted: &[u64], sum: u64) {
    let places = ANGLES.into_iter().map(|x| f(x as f32));
    check(name, wanted, sum, places, along().map(|x| f(x as f32)));
}

fn two(name: &str, f: fn(f64, f64) -> f64, wanted: &[u64], sum: u64) {
    let places = PAIRS.into_iter().map(|[x, y]| f(x, y));
    check(name, wanted, sum, places, along().map(|x| f(x, 3.7 - x)));
}

fn two_f32(name: &str, f: fn(f32, f32) -> f32, wanted: &[u64], sum: u64) {
    let places = PAIRS.into_iter().map(|[x, y]| f(x as f32, y as f32));
    let way = along().map(|x| f(x as f32, (3.7 - x) as f32));
    check(name, wanted, sum, places, way);
}

#[test]
fn turns_are_the_same_bits() {
    one(
        "sin",
        libm::sin,
        &[
            0x3e11_2e0b_e826_d695,
            0x3fb9_8eae_cb8b_cb2c,
            0x3fde_aee8_744b_05f0,
            0x3fe6_a09e_667f_3bcc,
            0x3fea_ed54_8f09_0cee,
            0x3ff0_0000_0000_0000,
            0x3fe3_26af_0dcf_cab0,
            0x3ca1_a626_3314_5c07,
            0x3fe7_d7f7_8e02_7f00,
            0xbfd6_664b_2568_d867,
        ],
        0x795d_fc21_c06d_92c8,
    );
    one(
        "cos",
        libm::cos,
        &[
            0x3ff0_0000_0000_0000,
            0x3fef_d712_f9a8_17c1,
            0x3fec_1528_065b_7d50,
            0x3fe6_a09e_667f_3bcd,
            0x3fe1_4a28_0fb5_068c,
            0x3c91_a626_3314_5c07,
            0xbfe9_a2f7_ef85_8b7d,
            0xbff0_0000_0000_0000,
            0xbfe5_578e_7d68_218f,
            0x3fed_f9df_9906_d32c,
        ],
        0x305d_827d_290d_438f,
    );
    one(
        "the sine of sincos",
        |x| libm::sincos(x).0,
        &[
            0x3e11_2e0b_e826_d695,
            0x3fb9_8eae_cb8b_cb2c,
            0x3fde_aee8_744b_05f0,
            0x3fe6_a09e_667f_3bcc,
            0x3fea_ed54_8f09_0cee,
            0x3ff0_0000_0000_0000,
            0x3fe3_26af_0dcf_cab0,
            0x3ca1_a626_3314_5c07,
            0x3fe7_d7f7_8e02_7f00,
            0xbfd6_664b_2568_d867,
        ],
        0x795d_fc21_c06d_92c8,
    );
    one(
        "the cosine of sincos",
        |x| libm::sincos(x).1,
        &[
            0x3ff0_0000_0000_0000,
            0x3fef_d712_f9a8_17c1,
            0x3fec_1528_065b_7d50,
            0x3fe6_a09e_667f_3bcd,
            0x3fe1_4a28_0fb5_068c,
            0x3c91_a626_3314_5c07,
            0xbfe9_a2f7_ef85_8b7d,
            0xbff0_0000_0000_0000,
            0xbfe5_578e_7d68_218f,
            0x3fed_f9df_9906_d32c,
        ],
        0x305d_827d_290d_438f,
    );
    one_f32(
        "sinf",
        libm::sinf,
        &[
            0x3089_705f,
            0x3dcc_7577,
            0x3ef5_7744,
            0x3f35_04f3,
            0x3f57_6aa4,
            0x3f80_0000,
            0x3f19_3578,
            0xb3bb_bd2e,
            0x3f3e_bfbc,
            0xbeb3_3259,
        ],
        0xd3ff_c356_7e12_ee30,
    );
    one_f32(
        "cosf",
        libm::cosf,
        &[
            0x3f80_0000,
            0x3f7e_b898,
            0x3f60_a940,
            0x3f35_04f3,
            0x3f0a_5140,
            0xb33b_bd2e,
            0xbf4d_17bf,
            0xbf80_0000,
            0xbf2a_bc74,
            0x3f6f_cefd,
        ],
        0xf9a0_7428_8911_6907,
    );
    one_f32(
        "the sine of sincosf",
        |x| libm::sincosf(x).0,
        &[
            0x3089_705f,
            0x3dcc_7577,
            0x3ef5_7744,
            0x3f35_04f3,
            0x3f57_6aa4,
            0x3f80_0000,
            0x3f19_3578,
            0xb3bb_bd2e,
            0x3f3e_bfbc,
            0xbeb3_3259,
        ],
        0xd3ff_c356_7e12_ee30,
    );
    one_f32(
        "the cosine of sincosf",
        |x| libm::sincosf(x).1,
        &[
            0x3f80_0000,
            0x3f7e_b898,
            0x3f60_a940,
            0x3f35_04f3,
            0x3f0a_5140,
            0xb33b_bd2e,
            0xbf4d_17bf,
            0xbf80_0000,
            0xbf2a_bc74,
            0x3f6f_cefd,
        ],
        0xf9a0_7428_8911_6907,
    );
    one_f32(
        "tanf",
        libm::tanf,
        &[
            0x3089_705f,
            0x3dcd_7c44,
            0x3f0b_da7b,
            0x3f80_0000,
            0x3fc7_5923,
            0xcbae_8a4a,
            0xbf3f_3cdb,
            0x33bb_bd2f,
            0xbf8f_00e6,
            0xbebf_4bb5,
        ],
        0xb1a0_5942_de82_5394,
    );
}

#[test]
fn angles_are_the_same_bits() {
    one(
        "asin",
        |x| libm::asin(x / (1.0 + x.abs())),
        &[
            0x3e11_2e0b_e7dd_0d1d,
            0x3fb7_4e0e_2278_2526,
            0x3fd5_bfe3_4f05_1112,
            0x3fdd_26b8_3b49_72ca,
            0x3fe0_c152_382d_7366,
            0x3fe5_08f3_a11e_e578,
            0x3fe9_7594_533a_2597,
            0x3feb_8df8_6a6e_72be,
            0x3ff5_977a_5103_ea92,
            0x3ff9_1c30_6b5c_aaf5,
        ],
        0x981b_2997_f381_0fc7,
    );
    two(
        "atan2",
        libm::atan2,
        &[
            0x3fb9_83e2_82e2_cc4d,
            0x3ff7_89bd_2c16_0054,
            0xbff2_a78b_84fb_f5fc,
            0x4005_e4c3_6ca0_118a,
            0xbff9_21fb_5488_e548,
            0x01a5_6e1f_c2f8_f359,
            0x3fd9_4441_f8f7_260c,
            0x3ec4_f8b5_88e3_38e7,
        ],
        0x3e69_7f46_1bef_0116,
    );
    two(
        "remainder",
        libm::remainder,
        &[
            0x3fb9_9999_9999_999a,
            0xbc90_0000_0000_0000,
            0xbfb9_9999_9999_9998,
            0x3fd3_3333_3333_3333,
            0x3c91_f392_0000_0000,
            0x01a5_6e1f_c2f8_f359,
            0x4014_0000_0000_0000,
            0x4004_0000_0000_0000,
        ],
        0x8797_62a6_7d19_1c7c,
    );
    two_f32(
        "atan2f",
        libm::atan2f,
        &[
            0x3dcc_1f14,
            0x3fbc_4de9,
            0xbf95_3c5c,
            0x402f_261b,
            0xbfc9_0fdb,
            0x0000_0000,
            0x3eca_2210,
            0x3627_c5ac,
        ],
        0xae7b_b1ba_4f09_705e,
    );
}

#[test]
fn lengths_and_powers_are_the_same_bits() {
    one(
        "exp",
        |x| libm::exp(-x.abs()),
        &[
            0x3fef_ffff_ff76_8fa1,
            0x3fec_f46d_99d5_2b3a,
            0x3fe3_68b2_fc6f_960a,
            0x3fdd_2e17_1cf0_4879,
            0x3fd7_8b56_362c_ef38,
            0x3fca_9bcc_46f7_67e0,
            0x3fb5_0385_c094_f425,
            0x3fa6_2022_7b59_8efa,
            0x3c53_9792_499b_1a24,
            0x0000_0000,
        ],
        0xf51d_02c5_d56f_e2ba,
    );
    two(
        "hypot",
        libm::hypot,
        &[
            0x3ff0_146d_d682_87f3,
            0x3ff0_146d_d682_87f3,
            0x3fe8_5ed7_614b_038c,
            0x3fe8_5ed7_614b_038c,
            0x3ff0_0000_0000_0000,
            0x3ff0_0000_0000_0000,
            0x402a_0000_0000_0000,
            0x412e_8480_0000_68dc,
        ],
        0x7c49_f1f9_74b1_25a6,
    );
    two_f32(
        "powf",
        |x, y| libm::powf(x.abs(), y.min(3.0)),
        &[
            0x3dcc_cccd,
            0x3f80_0000,
            0x3f66_05a2,
            0x4014_a90b,
            0x3f80_0000,
            0x0000_0000,
            0x42fa_0000,
            0x417a_0000,
        ],
        0x1502_010c_1db5_5e24,
    );
}
