import DocumentValues
import FieldRecords

/// Photos' names as they are typed before `=`, where there are no numbers.
enum TypedPhotoNames {
    /// Their names (`door.jpg`), or some characters of the digest for a name that cannot be typed there, looks like a
    /// number, or is that of another photo, too.
    static func all(_ conflict: RecordConflict) -> [Name: String] {
        let photos = conflict.object["photos"]?.arrayValue ?? []
        let names = photos.compactMap { $0["name"]?.stringValue }
        let counts = Dictionary(names.map { (Name($0), 1) }, uniquingKeysWith: +)
        let marks = zip(conflict.photoKeys, photos).map { key, photo in
            let name = photo["name"]?.stringValue.flatMap { canBeTyped($0) && counts[Name($0)] == 1 ? $0 : nil }
            return (key, name ?? mark(key))
        }
        return Dictionary(marks, uniquingKeysWith: { first, _ in first })
    }

    private static func canBeTyped(_ name: String) -> Bool {
        let isNumber = name.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return !isNumber && FieldValue(parsing: "photo-\(name)=")?.field.isExactly("photo-\(name)") == true
    }

    /// With a letter in front of it, so that it is no number.
    private static func mark(_ key: Name) -> String {
        let characters = key.text.utf8.drop { $0 != UInt8(ascii: "-") }.filter { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        }
        return "x" + String(decoding: characters.prefix(ShellLimits.photoMark), as: UTF8.self)
    }
}
