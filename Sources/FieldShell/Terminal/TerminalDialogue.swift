import CEditline
import DocumentValues
import FieldRecords
import FormLogic
import Foundation
import Glibc
import Synchronization

/// A person at a terminal: line editing, history, completion. There is one terminal, so there is one of these.
public final class TerminalDialogue: Dialogue, StyledScreen {
    private let historyFile: URL?
    private let texts: TextFolders
    private var lastLine: String?
    private var history = LineHistory()
    /// While nothing that is typed may be shown.
    private var secrets: SecretInput?

    /// - Parameters:
    ///   - historyFile: lines of earlier sessions; made so that only its owner can read it.
    ///   - texts: the folder in which a text is while an editor has it.
    public init(historyFile: URL?, texts: URL) {
        self.historyFile = historyFile
        self.texts = TextFolders(folder: texts, spare: SpareFolder.all(ProcessInfo.processInfo.environment))
        Terminal.useUTF8()
        fieldbook_set_program("fieldbook")
        // Before the library is first used, which then looks at these once.
        LineEditor.begin()
        using_history()
        stifle_history(Int32(ShellLimits.history))
        loadHistory()
    }

    public var isInteractive: Bool { true }

    public var completer: Completer {
        get { LineEditor.completer }
        set { LineEditor.completer = newValue }
    }

    public func ask(_ prompt: String) -> Reply {
        history.prepare(isQuestion: completer.completesLines)
        return LineEditor.read(lastLine(of: prompt))
    }

    public func ask(_ prompt: String, behind begun: WrittenText?) -> Reply {
        history.prepare(isQuestion: true)
        return LineEditor.read(lastLine(of: prompt)) { rescue($0, behind: begun) }
    }

    public func ask(_ prompt: String, recalling text: String?) -> Reply {
        history.prepareQuestion(recalling: text)
        return LineEditor.read(lastLine(of: prompt)) { rescue($0, behind: nil) }
    }

    /// The program ends; the next one names the file.
    private func rescue(_ line: String, behind begun: WrittenText?) {
        guard let text = WrittenText.unfinished(line, behind: begun) else { return }
        do throws(EditorError) {
            _ = try texts.hold(text)
            if let begun { texts.discard(begun) }
        } catch {
            show("\(error.description)\nWhat you wrote:\n\(text)")
        }
    }

    public func askSecret(_ prompt: String) -> Reply {
        guard let input = secrets ?? SecretInput() else { return .end }
        return input.read(lastLine(of: prompt))
    }

    /// Shows the part of a question that does not fit into the line in which the answer is typed.
    private func lastLine(of prompt: String) -> String {
        let (above, line) = PromptLayout.split(prompt, columns: Terminal.columns)
        if let above { show(above) }
        return line.printable
    }

    public func hidingInput<Value>(_ body: () throws -> Value) rethrows -> Value {
        guard secrets == nil, let input = SecretInput() else { return try body() }
        secrets = input
        let token = input.leaveOnInterrupt()
        defer {
            token.remove()
            secrets = nil
        }
        return try body()
    }

    public func edit(_ text: String) throws(EditorError) -> WrittenText {
        try ExternalEditor(variables: ProcessInfo.processInfo.environment, folder: texts.roomy()).edit(text)
    }

    public func hold(_ text: String) throws(EditorError) -> WrittenText { try texts.hold(text) }

    public func keep(_ text: WrittenText) throws(EditorError) -> String? { try texts.keep(text).path }

    public func discard(_ text: WrittenText) { texts.discard(text) }

    public var screenHeight: Int? { Terminal.hasOutput ? Terminal.rows : nil }

    public func show(_ text: String) {
        // Parts of it may be others' texts: nothing of it moves the cursor.
        Terminal.writeWrapped(text.printable, to: STDOUT_FILENO)
    }

    public var columns: Int { Terminal.columns }

    func showStyled(_ text: StyledText) {
        let variables = ProcessInfo.processInfo.environment
        let isPlain = StyledLines.isPlain(
            kind: variables["TERM"], noColor: variables["NO_COLOR"], isTerminal: Terminal.hasOutput)
        Terminal.write(
            StyledLines.text(text, columns: Terminal.hasOutput ? Terminal.columns : .max, isPlain: isPlain) + "\n",
            to: STDOUT_FILENO)
    }

    public func showWhole(_ lines: [String]) { StandardOutput.lines(lines) }

    // MARK: History

    /// Keeps a line of the prompt; answers to questions are not kept.
    public func remember(_ line: String, memory: LineMemory) {
        guard !line.trimmingSpaces.isEmpty, lastLine.map({ $0.isExactly(line) }) != true,
            // The library could not draw it.
            line.unicodeScalars.count <= ShellLimits.editedLetters
        else { return }
        lastLine = line
        history.add(line)
        guard memory == .forever, let historyFile else { return }
        // Appended, so that two shells on one folder keep the lines of both.
        let file = open(historyFile.path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { return }
        defer { close(file) }
        Terminal.write(line + "\n", to: file)
    }

    private func loadHistory() {
        guard let historyFile, let data = FileManager.default.contents(atPath: historyFile.path) else { return }
        let lines = data.split(separator: UInt8(ascii: "\n")).suffix(ShellLimits.history).map {
            String(decoding: $0, as: UTF8.self)
        }
        for line in lines { history.add(line) }
        if data.count > ShellLimits.historyBytes {
            let kept = lines.joined(separator: "\n") + "\n"
            try? FieldFolder.writePrivately(Array(kept.utf8), to: historyFile)
        }
    }
}
