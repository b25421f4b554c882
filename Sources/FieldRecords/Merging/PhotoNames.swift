import DocumentValues
import Foundation

/// Two photos of one record never have the same name.
enum PhotoNames {
    /// A list of photos in which the second of a name gets some characters of its digest: `door-2jmj7l.jpg`. The list's
    /// order says which of two that is; its new name is the same on every laptop, since it comes from the content. Where
    /// another photo has that name, it gets more of them.
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
                let renamed = free(among: FurtherNames(name, digest: digest), numbers: &numbers) {
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
        let digest = photo["blob"]?[BlobMetadata.digestProperty]?.stringValue ?? ""
        return FurtherNames(other, digest: digest).contain(one) || FurtherNames(one, digest: digest).contain(other)
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

    /// The first of the names that no other photo has.
    ///
    /// - Parameter numbers: those that come next, by the first name with a number: a list may have thousands of one photo.
    private static func free(
        among names: FurtherNames, numbers: inout [Name: Int], where isFree: (Name) -> Bool
    ) -> String {
        if let name = names.withoutNumber.first(where: { isFree(Name($0)) }) { return name }
        let key = Name(names.numbered(FurtherNames.firstNumber))
        while true {
            let number = numbers[key, default: FurtherNames.firstNumber]
            numbers[key] = number + 1
            let name = names.numbered(number)
            if isFree(Name(name)) { return name }
        }
    }
}

/// The names that a further photo of one name may get, in their order: with six characters of its digest, with twelve and so
/// on, and then, for another copy of the same photo, with its whole mark and a number.
private struct FurtherNames {
    private let parts: FileNameParts
    /// Letters and digits of the digest, past the name of its algorithm.
    private let mark: [UInt8]

    static let firstNumber = 2
    private static let step = 6

    init(_ name: String, digest: String) {
        parts = FileNameParts(name)
        mark = digest.utf8.drop { $0 != UInt8(ascii: "-") }.filter { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        }
    }

    var withoutNumber: [String] {
        stride(from: Self.step, through: max(Self.step, mark.count), by: Self.step).map { length in
            parts.appending(String(decoding: mark.prefix(length), as: UTF8.self))
        }
    }

    func numbered(_ number: Int) -> String { parts.appending("\(String(decoding: mark, as: UTF8.self))-\(number)") }

    func contain(_ name: String) -> Bool {
        if withoutNumber.containsExactly(name) { return true }
        // The number that the name would have.
        let digits = name.utf8.dropLast(parts.suffix.utf8.count).reversed().prefix { (0x30...0x39).contains($0) }
        guard let number = Int(String(decoding: digits.reversed(), as: UTF8.self)), number >= Self.firstNumber else {
            return false
        }
        return numbered(number).isExactly(name)
    }
}
