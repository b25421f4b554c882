import DocumentValues
import FieldRecords
import Foundation
import Glibc
import Synchronization

/// Texts that were written, mostly in an editor, and that no record has: the question is still open, the shell ended, or they
/// did not fit as an answer.
struct UnfinishedTexts {
    /// Where the editor's files are.
    let folder: URL

    private static let prefix = "unfinished-text-"

    /// A file for a text, hidden while a question about it is open. Each has a name of its own: the window of an editor that
    /// does not wait may write into one when another is edited already.
    func newFile() -> URL {
        let number = Self.made.withLock { made in
            made += 1
            return made
        }
        return folder.appendingPathComponent("\(Self.hidden)\(getpid())-\(number).txt")
    }

    private static let hidden = ".answer-"
    private static let made = Mutex(0)

    /// Gives visible names to the texts of shells that have ended, and to the files that editors have saved beside them when
    /// their terminal was closed. Files without text are deleted. To be called while this shell asks no question: a file
    /// with its number is of a question that was called off, or of another shell that had the number before, as often in a
    /// container.
    ///
    /// - Returns: all that are there, also of earlier times.
    func recover() throws -> [URL] {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted(by: { Name($0) < Name($1) })
        {
            guard let shell = Self.shell(of: name),
                shell == getpid() || (kill(shell, 0) != 0 && errno == ESRCH)
            else { continue }
            try show(folder.appendingPathComponent(name), of: shell)
        }
        return try names(beginningWith: Self.prefix).map { folder.appendingPathComponent($0) }
    }

    /// The shell of an editor's file, or of a file beside it: `.answer-7-1.txt`, nano's `.answer-7-1.txt.save`, Vim's
    /// `.answer-7-1.txt.swp`, Emacs' `#.answer-7-1.txt#`.
    private static func shell(of name: String) -> pid_t? {
        let plain = name.droppingExactPrefix("#") ?? name
        guard let rest = plain.droppingExactPrefix(hidden) else { return nil }
        let digits = rest.utf8.prefix { (0x30...0x39).contains($0) }
        return pid_t(Substring(digits))
    }

    private func show(_ file: URL, of shell: pid_t) throws {
        if file.path.hasSuffix(Self.swapSuffix) {
            // Vim finds it by the name of the text.
            let text = visible(of: shell)
            if !FileManager.default.createFile(atPath: text.path, contents: nil, attributes: [.posixPermissions: 0o600])
            {
                throw CocoaError(.fileWriteUnknown)
            }
            return try FileManager.default.moveItem(at: file, to: swap(of: text))
        }
        // A file that cannot be read may have a text.
        if let text = FileManager.default.contents(atPath: file.path), Self.isEmpty(text) {
            try FileManager.default.removeItem(at: file)
        } else {
            try FileManager.default.moveItem(at: file, to: visible(of: shell))
        }
    }

    private static let swapSuffix = ".swp"

    private func swap(of text: URL) -> URL {
        folder.appendingPathComponent(".\(text.lastPathComponent)\(Self.swapSuffix)")
    }

    /// Whether Vim has text that is in no file yet.
    func isRecoveredByVim(_ text: URL) -> Bool { FileManager.default.fileExists(atPath: swap(of: text).path) }

    /// Whether an editor's file has no text.
    static func isEmpty(_ text: Data) -> Bool { text.allSatisfy { $0 == 0x20 || $0 == 0x0A } }

    /// Writes one of this shell, which stays hidden while its question is open.
    func hold(_ text: String) throws(EditorError) -> WrittenText {
        let file = newFile()
        try write(text, to: file)
        return WrittenText(text, file: file)
    }

    /// Has one of this shell where a person sees it.
    func keep(_ text: WrittenText) throws(EditorError) -> URL {
        let kept = visible(of: getpid())
        guard let file = text.file else {
            try write(text.text, to: kept)
            return kept
        }
        do {
            try FileManager.default.moveItem(at: file, to: kept)
        } catch {
            throw EditorError("The text cannot be moved to \(kept.path): \(error.localizedDescription)")
        }
        return kept
    }

    /// A file that is left would be named by the next shell: the text is in a record as well then.
    func discard(_ text: WrittenText) {
        if let file = text.file { unlink(file.path) }
    }

    private func write(_ text: String, to file: URL) throws(EditorError) {
        do {
            try FieldFolder.writePrivately(Array(text.utf8), to: file, isDurable: true)
        } catch {
            throw EditorError("The text cannot be written to \(file.path): \(error.localizedDescription)")
        }
    }

    /// Another shell may have had the same number.
    private func visible(of shell: pid_t) -> URL {
        let names = (0...).lazy.map { "\(Self.prefix)\(shell)\($0 == 0 ? "" : "-\($0)").txt" }
        let files = names.map { folder.appendingPathComponent($0) }
        return files.first { !FileManager.default.fileExists(atPath: $0.path) } ?? newFile()
    }

    private func names(beginningWith prefix: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
            $0.utf8.starts(with: prefix.utf8) && $0.hasSuffix(".txt")
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
