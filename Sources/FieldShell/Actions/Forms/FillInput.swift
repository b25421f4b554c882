import DocumentValues
import FieldForms
import FieldRecords
import Foundation
import Glibc

/// What a script hands to a form: a file, or the standard input.
struct FillInput {
    let session: ShellSession

    /// - Parameter name: a path; `-` for the standard input.
    /// - Throws: `AnswersFileError` where it cannot be read, or is no JSON object; `UsageError` in the shell for `-`.
    func answers(_ name: String) throws -> ScriptAnswers {
        let bytes = try bytes(name)
        do { return try ScriptAnswers(bytes) } catch {
            throw AnswersFileError(.content("is no JSON object: \(error)"), subject: Self.subject(name))
        }
    }

    func lines() throws -> [String] {
        guard let text = String(validating: try bytes("-"), as: UTF8.self) else {
            throw AnswersFileError(.content("is no text in UTF-8"), subject: Self.subject("-"))
        }
        // Programs of Windows begin a file with a byte order mark.
        return (text.droppingExactPrefix("\u{FEFF}") ?? text).split(atByte: "\n").map { line in
            line.utf8.last == 13 ? String(decoding: line.utf8.dropLast(), as: UTF8.self) : String(line)
        }
    }

    private static func subject(_ name: String) -> String { name == "-" ? "The standard input" : name }

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
        guard descriptor >= 0 else { throw AnswersFileError(.system(errno), subject: path) }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw AnswersFileError(.system(errno), subject: path) }
        guard status.st_mode & S_IFMT != S_IFDIR else { throw AnswersFileError(.system(EISDIR), subject: path) }
        return try bytes(of: file, name: name)
    }

    /// A pipe has no length: it is read to its end, or until it has more than is taken.
    private func bytes(of file: FileHandle, name: String) throws -> [UInt8] {
        var bytes: [UInt8] = []
        while let next = try file.read(upToCount: ShellLimits.answersAtOnce), !next.isEmpty {
            bytes += next
            guard bytes.count <= ShellLimits.answers else {
                throw AnswersFileError(
                    .content("has more than the \(ShellLimits.answers >> 20) MB that answers may have"), subject: name)
            }
        }
        return bytes
    }
}

/// Answers that are not there, or cannot be read.
struct AnswersFileError: UserFacingError {
    enum Cause: Sendable, Hashable {
        /// A code of the system.
        case system(Int32)
        /// The fault of the bytes, as the rest of a sentence.
        case content(String)
    }

    let cause: Cause
    /// The file as it was named.
    @Exact private(set) var subject: String

    init(_ cause: Cause, subject: String) {
        self.cause = cause
        self.subject = subject
    }

    var description: String {
        let subject = subject.printableLine
        return switch cause {
        case .system(ENOENT): "There is no file \(subject)."
        case .system(EISDIR): "\(subject) is a folder. Name a file with the answers, or - for the standard input."
        case .system(let code): "\(subject) cannot be read: \(String(cString: strerror(code)))."
        case .content(let fault): "\(subject) \(fault). Write answers as {\"question\": \"answer\"}."
        }
    }
}
