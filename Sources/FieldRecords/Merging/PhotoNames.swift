import DocumentValues
import Foundation

/// Two photos of one record never have the same name.
enum PhotoNames {
    /// A list of photos in which the second of a name gets some characters of its digest: `door-2jmj7l.jpg`. So it has
    /// the same name on every laptop, in whatever order the photos came together. Where another photo has that name, it
    /// gets more of them.
    ///
    /// - Parameter approved: photos that keep their names, wherever they are in the list: approved photos do not
    ///   change, and the gateway refuses a record in which they do.
    static func unique(_ photos: JSONValue, keeping approved: JSONValue? = nil) -> JSONValue {
        guard let items = photos.arrayValue else { return photos }
        // Names that photos have already are theirs, also of those further down.
        let given = Set(items.compactMap { ($0["name"]?.stringValue).map { Name($0) } })
        let kept = Set((approved?.arrayValue ?? []).compactMap(Key.init))
        var taken = Set(items.compactMap(Key.init).filter(kept.contains).map(\.name))
        var numbers: [Name: Int] = [:]
        return .array(
            items.map { item in
                guard var photo = item.objectValue, let name = photo["name"]?.stringValue else { return item }
                if let key = Key(item), kept.contains(key) { return item }
                guard !taken.insert(Name(name)).inserted else { return item }
                let digest = photo["blob"]?[BlobMetadata.digestProperty]?.stringValue ?? ""
                let renamed = free(name, mark: mark(digest), numbers: &numbers) {
                    !given.contains($0) && !taken.contains($0)
                }
                taken.insert(Name(renamed))
                photo["name"] = .string(renamed)
                return .object(photo)
            })
    }

    /// Whether ``unique(_:keeping:)`` makes one of two names of a photo from the other.
    static func isMadeUnique(_ names: (JSONValue?, JSONValue?), of photo: JSONValue) -> Bool {
        guard let one = names.0?.stringValue, let other = names.1?.stringValue else { return false }
        let mark = mark(photo["blob"]?[BlobMetadata.digestProperty]?.stringValue ?? "")
        return isMade(one, from: other, mark: mark) || isMade(other, from: one, mark: mark)
    }

    private static func isMade(_ renamed: String, from name: String, mark: [UInt8]) -> Bool {
        let parts = FileNameParts(name)
        for length in stride(from: 6, through: max(6, mark.count), by: 6) {
            let made = parts.appending(String(decoding: mark.prefix(length), as: UTF8.self))
            if renamed.isExactly(made) { return true }
        }
        let start = "\(parts.stem)-\(String(decoding: mark, as: UTF8.self))"
        guard let rest = renamed.droppingExactPrefix(start), rest.hasExactSuffix(parts.suffix) else { return false }
        let number = rest.utf8.dropLast(parts.suffix.utf8.count)
        return number.isEmpty
            || (number.first == UInt8(ascii: "-") && number.count > 1
                && number.dropFirst().allSatisfy { (0x30...0x39).contains($0) })
    }

    /// A photo by its name and its content.
    private struct Key: Hashable {
        let name: Name
        let digest: Name?

        init?(_ photo: JSONValue) {
            guard let name = photo["name"]?.stringValue else { return nil }
            self.name = Name(name)
            digest = (photo["blob"]?[BlobMetadata.digestProperty]?.stringValue).map { Name($0) }
        }
    }

    /// The name with the fewest characters of the mark, from six, that no other photo has; a second copy of the same photo
    /// gets a number.
    ///
    /// - Parameter numbers: those that come next, by the name with the whole mark: a list may have thousands of one photo.
    private static func free(
        _ name: String, mark: [UInt8], numbers: inout [Name: Int], where isFree: (Name) -> Bool
    ) -> String {
        for length in stride(from: 6, through: max(6, mark.count), by: 6) {
            let renamed = FileNameParts(name).appending(String(decoding: mark.prefix(length), as: UTF8.self))
            if isFree(Name(renamed)) { return renamed }
        }
        let whole = String(decoding: mark, as: UTF8.self)
        let key = Name(FileNameParts(name).appending(whole))
        while true {
            let number = numbers[key, default: 2]
            numbers[key] = number + 1
            let renamed = FileNameParts(name).appending("\(whole)-\(number)")
            if isFree(Name(renamed)) { return renamed }
        }
    }

    /// Letters and digits of a digest, past the name of its algorithm.
    private static func mark(_ digest: String) -> [UInt8] {
        digest.utf8.drop { $0 != UInt8(ascii: "-") }.filter { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        }
    }
}
