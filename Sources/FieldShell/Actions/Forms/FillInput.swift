import DocumentValues
import FieldRecords
import Foundation
import Glibc

/// What a script hands to a form: a file, or the standard input.
struct FillInput {
    let session: ShellSession

    /// - Parameter name: a path; `-` for the standard input.
    /// - Throws: `AnswersFileError` where it cannot be read, `UsageError` where it is no JSON object.
    func object(_ name: String) throws -> JSONObject {
        let bytes = try bytes(name)
        do { return try JSONObject(parsing: bytes) } catch {
            let what = name == "-" ? "The standard input" : name
            throw UsageError(
                "\(what) is no JSON object: \(error)", hint: "Write answers as {\"question\": \"answer\"}.")
        }
    }

    func lines() throws -> [String] {
        String(decoding: try bytes("-"), as: UTF8.self).split(atByte: "\n").map { line in
            line.utf8.last == 13 ? String(decoding: line.utf8.dropLast(), as: UTF8.self) : String(line)
        }
    }

    private func bytes(_ name: String) throws -> [UInt8] {
        if name == "-" {
            // The shell's own input has its commands.
            guard !session.isShell else {
                throw UsageError("In the shell nothing is read from the standard input.", hint: "Name a file.")
            }
            return try bytes(of: .standardInput, name: "The standard input")
        }
        let path = URL(fileURLWithPath: HomeFolder.expanding(name)).path
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw AnswersFileError(path: path, code: errno) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw AnswersFileError(path: path, code: errno) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw AnswersFileError(path: path, code: EISDIR) }
        return try bytes(of: file, name: name)
    }

    /// A pipe has no length: it is read to its end, or until it has more than is taken.
    private func bytes(of file: FileHandle, name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let next = try file.read(upToCount: ShellLimits.answersAtOnce), !next.isEmpty {
            bytes += next
            guard bytes.count <= ShellLimits.answers else {
                throw UsageError("\(name) has more than \(ShellLimits.answers >> 20) MB of answers.")
            }
        }
        return bytes
    }
}

/// A file of answers that is not there, or cannot be read.
struct AnswersFileError: UserFacingError {
    let path: String
    /// Of the system.
    let code: Int32

    var description: String {
        switch code {
        case ENOENT: "There is no file \(path)."
        case EISDIR: "\(path) is a folder. Name a file with the answers, or - for the standard input."
        default: "\(path) cannot be read: \(String(cString: strerror(code)))."
        }
    }
}
