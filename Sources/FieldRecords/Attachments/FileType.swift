import Foundation

/// The type of a file, by its first bytes: the name that a phone gives it may be wrong.
package enum FileType {
    /// `application/octet-stream` where nothing says more.
    ///
    /// - Throws: `CocoaError` for a file that cannot be read.
    package static func contentType(of url: URL) throws -> String {
        let handle = try FileHandle(forReadingFrom: url)
        defer { try? handle.close() }
        let start = Array(try handle.read(upToCount: 16) ?? Data())
        for (signature, offset, type) in signatures
        where start.count >= offset + signature.count && start[offset...].starts(with: signature) { return type }
        switch url.pathExtension.lowercased() {
        case "txt": return "text/plain"
        case "csv": return "text/csv"
        case "json": return "application/json"
        default: return "application/octet-stream"
        }
    }

    private static let signatures: [(bytes: [UInt8], offset: Int, type: String)] = [
        ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], 0, "image/png"),
        ([0xFF, 0xD8, 0xFF], 0, "image/jpeg"),
        (Array("GIF8".utf8), 0, "image/gif"),
        (Array("WEBP".utf8), 8, "image/webp"),
        (Array("ftypheic".utf8), 4, "image/heic"),
        (Array("ftypheix".utf8), 4, "image/heic"),
        (Array("ftypmif1".utf8), 4, "image/heif"),
        (Array("ftypavif".utf8), 4, "image/avif"),
        ([0x49, 0x49, 0x2A, 0x00], 0, "image/tiff"),
        ([0x4D, 0x4D, 0x00, 0x2A], 0, "image/tiff"),
        (Array("%PDF-".utf8), 0, "application/pdf"),
        (Array("ftyp".utf8), 4, "video/mp4"),
    ]
}
