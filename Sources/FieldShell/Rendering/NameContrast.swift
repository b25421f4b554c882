import DocumentValues
import Foundation

/// Names of people in messages that are about two of them.
enum NameContrast {
    /// The name with its code points where it reads like the other one, so that people see the difference: `josé
    /// (jose\u{0301})`.
    static func shown(_ name: String, besides other: String) -> String {
        let (one, two) = (
            Name(name.precomposedStringWithCanonicalMapping), Name(other.precomposedStringWithCanonicalMapping)
        )
        guard one == two, !name.isExactly(other) else { return name }
        return "\(name) (\(name.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()))"
    }
}
