import DocumentValues
import Glibc

/// The answers of a command. A program that can no longer write its answer ends: its saved data are safe, and a reader
/// must not take a cut answer for a whole one.
package enum StandardOutput {
    /// The status with which other programs end whose reader is gone: 128 and the number of SIGPIPE.
    private static let readerIsGone: Int32 = 128 + SIGPIPE

    /// Writes a line in one piece, whatever thread it comes from, or ends the program: in silence if the reader is gone
    /// (`| head`), with a message and status 1 if the line cannot be written, as on a full disk.
    package static func line(_ text: String) { write(text + "\n") }

    /// The same for a line of JSON, which may have the texts of others in it.
    package static func json(_ text: String) { line(text.printableJSON) }

    /// Writes lines in one piece, because a system call for each would be the largest cost of ten thousand lines.
    package static func lines(_ texts: some Sequence<String>) {
        var whole = ""
        for text in texts { whole += text + "\n" }
        if !whole.isEmpty { write(whole) }
    }

    /// The content of a file, for another program.
    package static func bytes(_ bytes: [UInt8]) { check(Terminal.write(bytes: bytes, to: STDOUT_FILENO)) }

    private static func write(_ text: String) { check(Terminal.write(text, to: STDOUT_FILENO)) }

    private static func check(_ code: Int32?) {
        guard let code else { return }
        if code == EPIPE { _exit(readerIsGone) }
        message("Error: The output cannot be written: \(String(cString: strerror(code))).")
        _exit(1)
    }

    /// A line for a person, on standard error; where that is gone the line is lost. It may contain texts of others.
    package static func message(_ text: String) { Terminal.writeWrapped(text.printable, to: STDERR_FILENO) }
}
