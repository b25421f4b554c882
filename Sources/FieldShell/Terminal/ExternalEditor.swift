import FieldRecords
import Foundation
import Glibc

/// The editor that a person has chosen: `$VISUAL`, `$EDITOR`, or the one that the system has.
struct ExternalEditor {
    let variables: [String: String]
    /// Where the text is while it is edited; readable by its owner alone, and gone afterwards.
    let folder: URL

    func edit(_ text: String) throws(EditorError) -> String {
        let file = UnfinishedTexts(folder: folder).newFile()
        defer { try? FileManager.default.removeItem(at: file) }
        do {
            try FieldFolder.writePrivately(Array(text.utf8), to: file, isDurable: false)
        } catch {
            throw EditorError("The text cannot be written to \(file.path): \(error.localizedDescription)")
        }
        let status = run(file)
        guard status == 0 else { throw EditorError("The editor '\(command)' failed; the answer is as it was.") }
        guard let data = FileManager.default.contents(atPath: file.path),
            let edited = String(validating: data, as: UTF8.self)
        else { throw EditorError("What the editor wrote is no text; the answer is as it was.") }
        return edited
    }

    private var command: String {
        for name in ["VISUAL", "EDITOR"] {
            if let value = variables[name], !value.isEmpty { return value }
        }
        return "editor"
    }

    /// With the terminal, which the shell does not read meanwhile. The variable may hold options, so a shell splits it.
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
