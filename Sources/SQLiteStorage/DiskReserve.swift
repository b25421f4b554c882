import Foundation
import Glibc

/// A file that reserves some space for the time when the disk is full: then users must still be able to read, and to
/// make room.
package struct DiskReserve: Sendable {
    private let path: String
    /// In bytes.
    private let size: Int

    package init(_ path: String, size: Int) {
        self.path = path
        self.size = size
    }

    /// Returns the space to the disk; whether there was any.
    package func release() -> Bool { unlink(path) == 0 }

    /// Reserves the missing part: all of it, or as much as the disk has beyond `spare` bytes.
    package func refill(sparing spare: Int) {
        if missing > 0 { fillWithWhatIsThere(sparing: spare) }
    }

    /// Reserves as much as the disk has, up to the whole reserve, but always leaves `spare` bytes of the disk free.
    package func fillWithWhatIsThere(sparing spare: Int) {
        withFile { descriptor in
            // The space that is reserved already counts as free.
            guard ftruncate(descriptor, 0) == 0, let free = freeSpace(), free > spare else { return false }
            return posix_fallocate(descriptor, 0, off_t(min(size, free - spare))) == 0
        }
    }

    /// Bytes that are reserved.
    package var length: Int {
        // Not known is as if there were none: it is made again.
        (try? FileLength.bytes(of: path)) ?? 0
    }

    /// Bytes that the reserve lacks.
    package var missing: Int { max(0, size - length) }

    /// Reserves the missing bytes if the disk has them and `spare` bytes more; otherwise the reserve stays as it is.
    ///
    /// - Parameter target: the size of the reserve afterwards; `nil` for the whole reserve.
    package func complete(sparing spare: Int, upTo target: Int? = nil) {
        let missing = (target ?? size) - length
        guard missing > 0, let free = freeSpace(), free >= missing + spare else { return }
        fillWithWhatIsThere(sparing: spare)
    }

    /// If `body` fails, the file is removed, because the attempt may have taken some of the space.
    private func withFile(_ body: (_ descriptor: Int32) -> Bool) {
        // A pipe or a link is left as it is: then there is no reserve.
        guard let descriptor = try? OwnFile.open(path, flags: O_WRONLY | O_CREAT) else { return }
        defer { close(descriptor) }
        if !body(descriptor) { unlink(path) }
    }

    private func freeSpace() -> Int? { FreeSpace.bytes(at: (path as NSString).deletingLastPathComponent) }
}
