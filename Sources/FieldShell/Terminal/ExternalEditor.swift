import DocumentValues
import FieldRecords
import Foundation
import Glibc

/// The editor that a person has chosen: `$VISUAL`, `$EDITOR`, or the one that the system has.
struct ExternalEditor {
    let variables: [String: String]
    /// Where the text is, readable by its owner alone, while it is edited and until a record has it.
    let folder: URL

    func edit(_ text: String) throws(EditorError) -> WrittenText {
        let texts = UnfinishedTexts(folder: folder)
        let file = texts.newFile()
        do {
            try FieldFolder.writePrivately(Array(text.utf8), to: file, isDurable: false)
        } catch {
            remove(file)
            throw EditorError("The text cannot be written to \(file.path): \(error.localizedDescription)")
        }
        let start = ContinuousClock.now
        let status = run(file)
        let data: Data
        do { data = try Data(contentsOf: file) } catch {
            throw EditorError(
                "What the editor wrote cannot be read: \(error.localizedDescription)\nIt is in \(try kept(file))")
        }
        let edited = String(validating: data, as: UTF8.self)
        if status == 0, let edited {
            if edited.isExactly(text), start.duration(to: .now) < ShellLimits.shortestEdit {
                remove(file)
                throw EditorError(
                    "The editor '\(command)' ended at once and has changed nothing; the answer is as it was. If its window is "
                        + "still open, make it wait, for example with EDITOR='code --wait'.")
            }
            return try secured(edited, in: file)
        }
        let problem = status == 0 ? "What the editor wrote is no text" : "The editor '\(command)' failed"
        guard !data.elementsEqual(text.utf8), !UnfinishedTexts.isEmpty(data) else {
            remove(file)
            throw EditorError("\(problem); the answer is as it was.")
        }
        throw EditorError("\(problem); the answer is as it was. What you wrote is in \(try kept(file))")
    }

    private func kept(_ file: URL) throws(EditorError) -> String {
        guard FileManager.default.fileExists(atPath: file.path) else { return "no file: the editor has removed it" }
        return try UnfinishedTexts(folder: folder).keep(WrittenText("", file: file)).path
    }

    /// Most editors leave it to the system when the text is on the disk.
    private func secured(_ text: String, in file: URL) throws(EditorError) -> WrittenText {
        do {
            try FieldFolder.synchronize(file)
            return WrittenText(text, file: file)
        } catch {
            let kept = try UnfinishedTexts(folder: folder).keep(WrittenText(text, file: file))
            throw EditorError(
                "What you wrote is in \(kept.path), but perhaps not safely on the disk: \(error.localizedDescription)")
        }
    }

    private func remove(_ file: URL) { try? FileManager.default.removeItem(at: file) }

    private var command: String {
        for name in ["VISUAL", "EDITOR"] {
            if let value = variables[name], !value.isEmpty { return value }
        }
        return "editor"
    }

    /// The editor has the terminal, which the shell does not read until the editor ends. The variable may hold options,
    /// so a shell splits it.
    private func run(_ file: URL) -> Int32 {
        let command = ["/bin/sh", "-c", command + " \"$1\"", "sh", file.path]
        let arguments = command.map { strdup($0) } + [nil]
        let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (arguments + environment).forEach { free($0) } }
        // Ctrl-C is the editor's.
        let token = Interrupts.shared.handle {}
        defer { token.remove() }
        var process: pid_t = 0
        guard posix_spawn(&process, "/bin/sh", nil, nil, arguments, environment) == 0 else { return -1 }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0, errno == EINTR {}
        return status
    }
}
