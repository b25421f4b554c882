import DocumentValues
import FormExchange
import Foundation
import Glibc

/// The folders from which an author's form takes its files.
struct FormFolder {
    let url: URL

    /// The bytes of a plain file; `nil` where there is none of that name.
    ///
    /// - Throws: `UnreadableFormFile` for a file that is there and cannot be read, or has more bytes than that.
    static func read(_ url: URL, named file: String, upTo limit: Int, isOwn: Bool = false) throws -> [UInt8]? {
        // What a link leads to is not the form's own; a pipe or a device would keep the program waiting.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (isOwn ? O_NOFOLLOW : 0)
        let descriptor = open(url.path, flags)
        guard descriptor >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            let reason = errno == ELOOP ? "it is a link to another file" : String(cString: strerror(errno))
            throw UnreadableFormFile(reason, file: file)
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw UnreadableFormFile("it is no plain file", file: file)
        }
        guard status.st_size <= limit else {
            throw FormFileError(.tooLarge("the file", limit: "\(limit >> 20) MB"), file: file)
        }
        do {
            let bytes = try handle.read(upToCount: limit + 1) ?? Data()
            guard bytes.count <= limit else {
                throw FormFileError(.tooLarge("the file", limit: "\(limit >> 20) MB"), file: file)
            }
            return Array(bytes)
        } catch let error as FormFileError {
            throw error
        } catch {
            throw UnreadableFormFile(error.localizedDescription, file: file)
        }
    }

    /// A file that a form names, in this folder itself: a form from elsewhere must read nothing behind `..` or a link.
    func file(_ name: Name) throws -> [UInt8]? {
        let isPlain =
            !name.isEmpty && name != "." && name != ".."
            && name.utf8.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
        guard isPlain else { return nil }
        return try Self.read(
            url.appendingPathComponent(name.text), named: name.text, upTo: FormLibraryLimits.file, isOwn: true)
    }
}
