import DocumentValues
import Foundation

/// Two photos of one record never have the same name.
enum PhotoNames {
    /// A list of photos in which the second of a name gets some characters of its digest: `door-2jmj7l.jpg`. So it has
    /// the same name on every laptop, in whatever order the photos came together.
    static func unique(_ photos: JSONValue) -> JSONValue {
        guard let items = photos.arrayValue else { return photos }
        var taken: Set<Name> = []
        return .array(
            items.map { item in
                guard var photo = item.objectValue, let name = photo["name"]?.stringValue else { return item }
                guard !taken.insert(Name(name)).inserted else { return item }
                let digest = photo["blob"]?[BlobMetadata.digestProperty]?.stringValue ?? ""
                let renamed = FileNameParts(name).appending(mark(digest))
                taken.insert(Name(renamed))
                photo["name"] = .string(renamed)
                return .object(photo)
            })
    }

    /// Letters and digits of a digest, past the name of its algorithm.
    private static func mark(_ digest: String) -> String {
        let plain = digest.utf8.drop { $0 != UInt8(ascii: "-") }.filter { byte in
            (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        }
        return String(decoding: plain.prefix(6), as: UTF8.self)
    }
}
