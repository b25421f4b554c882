import CEditline
import FieldRecords
import Foundation
import Glibc
import Synchronization

/// A person at a terminal: line editing, history, completion. There is one terminal, so there is one of these.
public final class TerminalDialogue: Dialogue {
    private let historyFile: URL?
    private var lastLine: String?

    /// - Parameter historyFile: lines of earlier sessions; made so that only its owner can read it.
    public init(historyFile: URL?) {
        self.historyFile = historyFile
        Terminal.useUTF8()
        fieldbook_set_program("fieldbook")
        using_history()
        stifle_history(Int32(ShellLimits.history))
        loadHistory()
        fieldbook_set_completion(completionGenerator)
    }

    public var isInteractive: Bool { true }

    public var completions: [String] {
        get { CompletionWords.shared.withLock { $0.words } }
        set { CompletionWords.shared.withLock { $0.words = newValue } }
    }

    public func ask(_ prompt: String) -> String? {
        guard let pointer = readline(prompt) else {
            Terminal.write("\n", to: STDOUT_FILENO)
            return nil
        }
        defer { free(pointer) }
        return String(cString: pointer)
    }

    public func askSecret(_ prompt: String) -> String? { Terminal.readSecret(prompt) }

    public func tell(_ text: String) { Terminal.write(text + "\n", to: STDOUT_FILENO) }

    // MARK: History

    /// Keeps a command for later sessions; answers to questions are not kept.
    public func remember(_ line: String) {
        guard !line.trimmingSpaces.isEmpty, line != lastLine else { return }
        lastLine = line
        add_history(line)
        guard let historyFile else { return }
        // Appended, so that two shells on one folder keep the lines of both.
        let file = open(historyFile.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        Terminal.write(line + "\n", to: file)
    }

    private func loadHistory() {
        guard let historyFile, let data = FileManager.default.contents(atPath: historyFile.path) else { return }
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").suffix(ShellLimits.history)
        for line in lines { add_history(String(line)) }
        if data.count > ShellLimits.historyBytes {
            let kept = lines.joined(separator: "\n") + "\n"
            try? FieldFolder.writePrivately(Array(kept.utf8), to: historyFile)
        }
    }
}

/// The words that the line editor's callback, which can capture nothing, completes with.
private struct CompletionWords {
    static let shared = Mutex(CompletionWords())

    var words: [String] = []
    private var matches: ArraySlice<String> = []

    mutating func next(_ text: String, restarts: Bool) -> String? {
        if restarts { matches = words.filter { $0.hasPrefix(text) }[...] }
        return matches.popFirst()
    }
}

private func completionGenerator(_ text: UnsafePointer<CChar>?, _ state: Int32) -> UnsafeMutablePointer<CChar>? {
    let beginning = text.map { String(cString: $0) } ?? ""
    return CompletionWords.shared.withLock { $0.next(beginning, restarts: state == 0) }.flatMap { strdup($0) }
}
