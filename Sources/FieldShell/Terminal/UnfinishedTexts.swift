import FieldRecords
import Foundation
import Glibc

/// Texts that were written in an editor and that nothing took over: the shell ended, or they did not fit as an answer.
struct UnfinishedTexts {
    /// Where the editor's files are.
    let folder: URL

    private static let prefix = "unfinished-text-"

    /// A file for an editor, hidden while a shell waits for it.
    func newFile() -> URL { folder.appendingPathComponent("\(Self.hidden)\(getpid()).txt") }

    private static let hidden = ".answer-"

    /// Gives those whose shell has ended a name that a person sees; those without text go. To be called before this shell
    /// has a file: one with its number is of another that had the number before, as often in a container.
    ///
    /// - Returns: all that are there, also of earlier times.
    func find() throws -> [URL] {
        for name in try names(beginningWith: Self.hidden) {
            guard let shell = name.dropFirst(Self.hidden.count).split(separator: ".").first.flatMap({ pid_t($0) }),
                shell == getpid() || (kill(shell, 0) != 0 && errno == ESRCH)
            else { continue }
            let file = folder.appendingPathComponent(name)
            // What cannot be read may have a text.
            if let text = FileManager.default.contents(atPath: file.path), Self.isEmpty(text) {
                try FileManager.default.removeItem(at: file)
            } else {
                try FileManager.default.moveItem(at: file, to: visible(of: shell))
            }
        }
        return try names(beginningWith: Self.prefix).map { folder.appendingPathComponent($0) }
    }

    /// Whether there is no text in what an editor wrote.
    static func isEmpty(_ text: Data) -> Bool { text.allSatisfy { $0 == 0x20 || $0 == 0x0A } }

    /// Gives a file of this shell a name that a person sees.
    func keep(_ file: URL) throws(EditorError) -> URL {
        let kept = visible(of: getpid())
        do {
            try FileManager.default.moveItem(at: file, to: kept)
        } catch {
            throw EditorError("The text cannot be moved to \(kept.path): \(error.localizedDescription)")
        }
        return kept
    }

    /// Writes one of this shell where a person sees it.
    func keep(_ text: String) throws(EditorError) -> URL {
        let file = visible(of: getpid())
        do {
            try FieldFolder.writePrivately(Array(text.utf8), to: file, isDurable: true)
        } catch {
            throw EditorError("The text cannot be written to \(file.path): \(error.localizedDescription)")
        }
        return file
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
