/// A file's name, cut at its last dot.
struct FileNameParts {
    let stem: String
    /// With its dot; empty where there is none.
    let suffix: String

    init(_ name: String) {
        let bytes = name.utf8
        if let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > bytes.startIndex,
            bytes.index(after: dot) < bytes.endIndex
        {
            stem = String(name[..<dot])
            suffix = String(name[dot...])
        } else {
            stem = name
            suffix = ""
        }
    }

    func appending(_ mark: String) -> String { "\(stem)-\(mark)\(suffix)" }

    /// The name itself, or the first of `name-2`, `name-3` and so on that is not taken.
    func firstUnused(_ isTaken: (String) -> Bool) -> String {
        var candidate = stem + suffix
        var number = 2
        while isTaken(candidate) {
            candidate = appending("\(number)")
            number += 1
        }
        return candidate
    }
}
