import Crypto
import DocumentValues

/// The ids of a form's documents.
package enum FormDocumentIDs {
    /// `kitchen_hygiene@2026030401`. Bytes of the version outside `[A-Za-z0-9._-]` are written as `%XX`; a long version as the
    /// beginning of its SHA-256.
    package static func version(_ version: String, of form: Name) -> String { "\(form.text)@\(spelled(version))" }

    static func spelled(_ version: String) -> String {
        guard version.utf8.count <= FormLibraryLimits.spelledVersion else { return digest(of: version) }
        var spelled: [UInt8] = []
        for byte in version.utf8 {
            if isPlain(byte) { spelled.append(byte) } else { spelled += percent(byte) }
        }
        // With the form's id before it, it has to be the id of a document.
        guard spelled.count <= FormLibraryLimits.versionInID else { return digest(of: version) }
        return String(decoding: spelled, as: UTF8.self)
    }

    private static func digest(of version: String) -> String {
        let digest = Hexadecimal.encode(SHA256.hash(data: Array(version.utf8)))
        return String(decoding: digest.utf8.prefix(FormLibraryLimits.versionDigest), as: UTF8.self)
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default: false
        }
    }

    private static func percent(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
    }
}
