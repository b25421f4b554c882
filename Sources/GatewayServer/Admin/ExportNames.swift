import DocumentValues

/// Names of files or folders in one folder, made of any texts: all are different, and none leads out of the folder. If
/// two would be the same, the second gets a number.
struct ExportNames {
    private var taken: Set<Name> = []
    /// The next number to try, by the name that is taken: a document may have thousands with one name.
    private var numbers: [Name: Int] = [:]

    mutating func name(for name: String, type: String? = nil) -> String {
        let (stem, ending) = Self.parts(of: Self.safe(name), type)
        var result = stem + ending
        let wanted = Name(result.lowercased())
        var number = numbers[wanted, default: 2]
        while !taken.insert(Name(result.lowercased())).inserted {
            result = "\(stem)-\(number)\(ending)"
            number += 1
        }
        numbers[wanted] = number
        return result
    }

    /// Scalar by scalar: in some scripts a letter and a slash behind it are one `Character`, which counts as a letter.
    private static func safe(_ name: String) -> String {
        let base = name.droppingExactPrefix("blob_/") ?? name
        var safe = ""
        for scalar in base.unicodeScalars {
            guard safe.utf8.count <= longest else { break }
            safe.unicodeScalars.append(isAllowed(scalar) ? scalar : "_")
        }
        let isPlain = !safe.isEmpty && !".-".utf8.contains(safe.utf8.first ?? 0)
        return isPlain ? safe : "_" + safe
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "-", "_", ".", " ": true
        default: scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        }
    }

    private static func parts(of safe: String, _ type: String?) -> (stem: String, ending: String) {
        if let dot = safe.utf8.lastIndex(of: UInt8(ascii: ".")), dot > safe.startIndex {
            return (String(safe[..<dot]), String(safe[dot...]))
        }
        return (safe, type.flatMap { endings[Name($0)] }.map { "." + $0 } ?? "")
    }

    /// UTF-8 bytes: with a number and an ending it stays below the 255 of a file system.
    private static let longest = 200

    private static let endings: [Name: String] = [
        "image/jpeg": "jpg", "image/png": "png", "image/gif": "gif", "image/webp": "webp", "application/pdf": "pdf",
        "text/plain": "txt", "text/csv": "csv", "application/json": "json", "audio/mpeg": "mp3", "video/mp4": "mp4",
    ]
}
