import DocumentValues
import Foundation
import Glibc
import SQLiteStorage
import Synchronization

/// A folder of blob files, spread over 256 subfolders, written so that a file is either whole or not there.
package struct BlobFolder: Sendable {
    package let url: URL
    /// Unfinished files, each locked by its writer. Those that a crash leaves are removed when the folder is opened
    /// next.
    private var drafts: URL { url.appendingPathComponent(Self.draftsName, isDirectory: true) }
    static let draftsName = "incoming"

    package init(_ url: URL) { self.url = url }

    private func location(of name: String) -> URL {
        url.appendingPathComponent(String(name.prefix(2)), isDirectory: true).appendingPathComponent(name)
    }

    /// Bytes on the disk; `nil` if there is no such file.
    package func size(_ name: String) throws -> UInt64? {
        var status = stat()
        guard stat(location(of: name).path, &status) == 0 else {
            guard errno == ENOENT else {
                throw StoreError.posix(errno, message: "An attachment cannot be read.", file: location(of: name))
            }
            return nil
        }
        return UInt64(status.st_size)
    }

    package func openForReading(_ name: String) throws -> BlobFile? {
        let file = location(of: name)
        do throws(OwnFileError) {
            return BlobFile(try OwnFile.open(file.path, flags: O_RDONLY), at: file, isDraft: false)
        } catch {
            if error == .system(ENOENT) { return nil }
            throw StoreError.own(error, message: "An attachment cannot be read.", file: file)
        }
    }

    package func newFile() throws -> BlobFile {
        try make(drafts)
        while true {
            let file = drafts.appendingPathComponent(UUID().uuidString)
            let descriptor = open(file.path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else {
                throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: file)
            }
            let draft = BlobFile(descriptor, at: file, isDraft: true)
            // Another process that has just opened the folder may have removed the file before it was locked.
            if try lock(descriptor, of: file), try isThere(file) { return draft }
        }
    }

    private func lock(_ descriptor: Int32, of file: URL) throws -> Bool {
        do throws(FileLockError) { return try FileLock.lockOpenFile(descriptor, mode: .exclusive) } catch {
            throw StoreError.posix(error.code, message: "An attachment cannot be stored.", file: file)
        }
    }

    private func isThere(_ file: URL) throws -> Bool {
        if access(file.path, F_OK) == 0 { return true }
        guard errno == ENOENT else {
            throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: file)
        }
        return false
    }

    /// Removes the unfinished files of processes that are gone.
    package func removeAbandonedDrafts() throws {
        for file in try entries(drafts) {
            // Its writer has finished it, or given it up, since the list was read; or it is no file of ours.
            guard let descriptor = try? OwnFile.open(file.path, flags: O_RDONLY) else { continue }
            defer { close(descriptor) }
            // Where the disk has no locks, as over some networks, it may have a writer, and is kept.
            if (try? FileLock.lockOpenFile(descriptor, mode: .exclusive)) == true { unlink(file.path) }
        }
    }

    /// Gives a finished file its name, durably. The new file replaces an older one of that name: so the blob is young
    /// again, and compacting does not remove it.
    package func install(_ file: BlobFile, as name: String) throws { try install(file, at: location(of: name)) }

    package func install(_ file: BlobFile, at target: URL) throws {
        try make(target.deletingLastPathComponent())
        try file.synchronize()
        guard rename(file.url.path, target.path) == 0 else {
            throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: target)
        }
        file.close()
        try synchronize(target.deletingLastPathComponent())
    }

    /// Gives the whole folder another name, durably. This value still has the former name, and finds no blobs from then
    /// on.
    package func move(to target: URL) throws {
        guard rename(url.path, target.path) == 0 else {
            throw StoreError.posix(errno, message: "The attachments cannot be moved.", file: target)
        }
        try synchronize(target.deletingLastPathComponent())
    }

    /// Overwrites the first `count` bytes before the file is removed.
    package func remove(_ name: String, destroying count: Int = 0) throws {
        let file = location(of: name)
        if count > 0 { try overwrite(file, count: count) }
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw StoreError.posix(errno, message: "An attachment cannot be removed.", file: file)
        }
    }

    /// Overwrites a file with zeros, durably. An SSD, and a file system that writes changed bytes elsewhere, may keep the
    /// former ones for a time, though in no file.
    package func overwrite(_ file: URL) throws {
        var status = stat()
        if stat(file.path, &status) == 0 { try overwrite(file, count: Int(status.st_size)) }
    }

    /// Removes a file, durably.
    package func remove(_ file: URL) throws {
        guard unlink(file.path) == 0 || errno == ENOENT else {
            throw StoreError.posix(errno, message: "A key cannot be removed.", file: file)
        }
        try synchronize(file.deletingLastPathComponent())
    }

    private func overwrite(_ file: URL, count: Int) throws {
        let descriptor = open(file.path, O_WRONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            guard errno == ENOENT else {
                throw StoreError.posix(errno, message: "An attachment cannot be removed.", file: file)
            }
            return
        }
        defer { close(descriptor) }
        let zeros = [UInt8](repeating: 0, count: count)
        guard pwrite(descriptor, zeros, count, 0) == count, fsync(descriptor) == 0 else {
            throw StoreError.posix(errno, message: "An attachment cannot be removed.", file: file)
        }
    }

    /// Removes blobs that are neither in `keep` nor younger than `date`, and drafts that have no writer; returns how
    /// many blobs were removed.
    package func removeAll(except keep: Set<String>, untouchedSince date: Date, destroying count: Int = 0) throws -> Int
    {
        try removeAbandonedDrafts()
        var removed = 0
        for folder in try entries(url) where folder.lastPathComponent.utf8.count == 2 {
            for file in try entries(folder) where !keep.contains(file.lastPathComponent) {
                guard let touched = modificationDate(file), touched < date else { continue }
                try remove(file.lastPathComponent, destroying: count)
                removed += 1
            }
        }
        return removed
    }

    /// The names of all blobs.
    func forEachName(_ body: (String) throws -> Void) throws {
        for folder in try entries(url) where folder.lastPathComponent.utf8.count == 2 {
            for file in try entries(folder) { try body(file.lastPathComponent) }
        }
    }

    /// How many blobs there are, and the bytes of their files. Drafts are not counted.
    package func usage() throws -> (blobs: Int, bytes: UInt64) {
        var usage: (blobs: Int, bytes: UInt64) = (0, 0)
        for folder in try entries(url) where folder.lastPathComponent.utf8.count == 2 {
            for file in try entries(folder) {
                // It may have been removed since the list was read.
                guard let size = try size(file.lastPathComponent) else { continue }
                usage.blobs += 1
                usage.bytes += size
            }
        }
        return usage
    }

    private func entries(_ folder: URL) throws -> [URL] {
        guard access(folder.path, F_OK) == 0 else { return [] }
        do { return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) } catch {
            throw StoreError.file(error, message: "The attachments cannot be listed.", file: folder)
        }
    }

    private func modificationDate(_ file: URL) -> Date? {
        var status = stat()
        guard stat(file.path, &status) == 0 else { return nil }
        return Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    }

    /// Makes a folder, and those above it, durably: a power cut that takes a folder takes its files with it.
    private func make(_ folder: URL) throws {
        guard access(folder.path, F_OK) != 0 else { return }
        let above = folder.deletingLastPathComponent()
        guard above.path != folder.path else { return }
        try make(above)
        guard mkdir(folder.path, 0o700) == 0 || errno == EEXIST else {
            throw StoreError.posix(errno, message: "The folder for attachments cannot be made.", file: folder)
        }
        try synchronize(above)
    }

    private func synchronize(_ folder: URL) throws {
        let descriptor = open(folder.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: folder)
        }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: folder)
        }
    }
}

/// An open file; reads and writes go on where the last one ended.
package final class BlobFile: Sendable {
    package let url: URL
    /// Bytes when it was opened.
    package let length: UInt64
    private let isDraft: Bool
    private let descriptor: Mutex<Int32?>

    init(_ descriptor: Int32, at url: URL, isDraft: Bool) {
        var status = stat()
        fstat(descriptor, &status)
        length = UInt64(status.st_size)
        self.url = url
        self.isDraft = isDraft
        self.descriptor = Mutex(descriptor)
    }

    deinit { discard() }

    package func write(_ bytes: some Swift.Collection<UInt8>) throws {
        let done: Void? = try bytes.withContiguousStorageIfAvailable { try write(UnsafeRawBufferPointer($0)) }
        if done == nil { try Array(bytes).withUnsafeBytes(write) }
    }

    private func write(_ bytes: UnsafeRawBufferPointer) throws {
        let descriptor = try openDescriptor()
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            guard count > 0 else {
                if errno == EINTR { continue }
                throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: url)
            }
            rest = rest.dropFirst(count)
        }
    }

    /// Replaces bytes that were written before.
    package func overwrite(at offset: Int, _ bytes: [UInt8]) throws {
        guard pwrite(try openDescriptor(), bytes, bytes.count, off_t(offset)) == bytes.count else {
            throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: url)
        }
    }

    /// Fewer bytes than `count` only at the end of the file; none after it.
    package func read(upTo count: Int) throws -> [UInt8] {
        let descriptor = try openDescriptor()
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = 0
            while filled < count {
                let got = Glibc.read(descriptor, buffer.baseAddress! + filled, count - filled)
                if got == 0 { break }
                if got < 0 {
                    if errno == EINTR { continue }
                    failure = errno
                    break
                }
                filled += got
            }
        }
        guard failure == 0 else { throw StoreError.posix(failure, message: "An attachment cannot be read.", file: url) }
        return bytes
    }

    func synchronize() throws {
        guard fsync(try openDescriptor()) == 0 else {
            throw StoreError.posix(errno, message: "An attachment cannot be stored.", file: url)
        }
    }

    package func close() {
        let held = descriptor.withLock { descriptor in
            defer { descriptor = nil }
            return descriptor
        }
        if let held { Glibc.close(held) }
    }

    /// Closes the file and, if it was never installed, removes it.
    package func discard() {
        let wasOpen = descriptor.withLock { $0 != nil }
        close()
        if wasOpen, isDraft { unlink(url.path) }
    }

    private func openDescriptor() throws -> Int32 {
        guard let open = descriptor.withLock({ $0 }) else {
            throw StoreError(.notOpen, message: "The attachment is closed.", context: ["path": url.path])
        }
        return open
    }
}
