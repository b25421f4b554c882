import Foundation
import Glibc

/// Files as opposed to folders, pipes and devices; reads files that may come from any source.
enum PlainFile {
    /// Behind links too.
    ///
    /// - Returns: true also for a missing file: opening it reports that.
    static func isPossible(at url: URL) -> Bool {
        guard let found = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path) else {
            return true
        }
        return found[.type] as? FileAttributeType == .typeRegular
    }

    /// Reads a file, behind links too.
    ///
    /// - Returns: `nil` for one that has more bytes than that.
    static func read(_ url: URL, upTo limit: Int) throws(ImportError) -> [UInt8]? {
        try read(url, upTo: limit, flags: 0)
    }

    /// Reads a file in the folder itself: the target of a link is not the folder's own.
    ///
    /// - Returns: `nil` for one that has more bytes than that.
    static func readOwn(_ url: URL, upTo limit: Int) throws(ImportError) -> [UInt8]? {
        let type: Any?
        do { type = try FileManager.default.attributesOfItem(atPath: url.path)[.type] } catch {
            throw ImportError(.unreadable(error.localizedDescription), file: url.lastPathComponent)
        }
        guard type as? FileAttributeType == .typeRegular else {
            throw ImportError(.unreadable("it is no plain file"), file: url.lastPathComponent)
        }
        // Where it is another one by now, nothing is waited for.
        return try read(url, upTo: limit, flags: O_NOFOLLOW | O_NONBLOCK)
    }

    private static func read(_ url: URL, upTo limit: Int, flags: Int32) throws(ImportError) -> [UInt8]? {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC | flags)
        guard descriptor >= 0 else {
            throw ImportError(.unreadable(String(cString: strerror(errno))), file: url.lastPathComponent)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        // The size of the file itself, since a link has a size of its own; a pipe has none, and a device may report any
        // size.
        let size = max(0, Int(lseek(descriptor, 0, SEEK_END)))
        guard size <= limit else { return nil }
        if size > 0 { lseek(descriptor, 0, SEEK_SET) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size)
        do {
            while bytes.count <= limit,
                let more = try handle.read(upToCount: FieldRecordsLimits.importPortion), !more.isEmpty
            {
                bytes.append(contentsOf: more)
            }
        } catch {
            throw ImportError(.unreadable(error.localizedDescription), file: url.lastPathComponent)
        }
        return bytes.count <= limit ? bytes : nil
    }
}
