import DocumentValues

/// Paths of the admin port, with names escaped as bytes.
enum AdminPath {
    /// `/database/rest/name`; without a name the path of the list.
    static func of(_ database: String, rest: String, name: String? = nil) -> String {
        "/\(escaped(database))/\(rest)" + (name.map { "/" + escaped($0) } ?? "")
    }

    /// `/database.scope.collection`, the beginning of a collection's paths.
    static func keyspace(_ collection: String, of database: String) -> String {
        "/" + escaped("\(database).\(collection)")
    }

    /// Everything but letters, digits and `-._~` of ASCII as `%XX`; also `.` and `..`, which lead elsewhere in a path.
    static func escaped(_ text: String) -> String {
        if text.isExactly(".") || text.isExactly("..") { return text.replacing(".", with: "%2E") }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let digits = Array("0123456789ABCDEF".utf8)

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
