import CEditline
import Foundation
import Glibc

/// The terminal, if there is one.
enum Terminal {
    static var hasInput: Bool { isatty(STDIN_FILENO) == 1 }
    static var hasOutput: Bool { isatty(STDOUT_FILENO) == 1 }
    static var hasErrorOutput: Bool { isatty(STDERR_FILENO) == 1 }

    /// Cells of a line.
    static var columns: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return ShellLimits.columns }
        return Int(size.ws_col)
    }

    /// Lines of the screen.
    static var rows: Int {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_row > 0 else { return ShellLimits.rows }
        return Int(size.ws_row)
    }

    /// The line editor drops everything but ASCII under a locale such as `C`, which services and rescue systems have.
    static func useUTF8() {
        setlocale(LC_CTYPE, "")
        let codeset = nl_langinfo(Int32(CODESET)).map { String(cString: $0) } ?? ""
        if codeset != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    }

    /// - Returns: the system's error number, if not everything could be written.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return errno
            }
            bytes = bytes.dropFirst(count)
        }
        return nil
    }
}
