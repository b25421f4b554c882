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
        let columns = size.map { Int($0.ws_col) } ?? 0
        return columns > 0 ? columns : ShellLimits.columns
    }

    /// Lines of the screen.
    static var rows: Int {
        let rows = size.map { Int($0.ws_row) } ?? 0
        return rows > 0 ? rows : ShellLimits.rows
    }

    /// Of the screen that any of the three standard streams leads to: the others may be redirected.
    private static var size: winsize? {
        for descriptor in [STDOUT_FILENO, STDERR_FILENO, STDIN_FILENO] {
            var size = winsize()
            if ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 { return size }
        }
        return nil
    }

    /// The line editor drops everything but ASCII under a locale such as `C`, which services and rescue systems have.
    static func useUTF8() {
        setlocale(LC_CTYPE, "")
        let codeset = nl_langinfo(Int32(CODESET)).map { String(cString: $0) } ?? ""
        if codeset != "UTF-8" { setlocale(LC_CTYPE, "C.UTF-8") }
    }

    /// A line, or several, for a person; broken at spaces where it goes to a screen.
    static func writeWrapped(_ text: String, to descriptor: Int32) {
        write((isatty(descriptor) == 1 ? text.wrappedText(to: columns) : text) + "\n", to: descriptor)
    }

    /// - Returns: the system's error number, if not everything could be written.
    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Int32? {
        write(bytes: Array(text.utf8), to: descriptor)
    }

    /// - Returns: as above.
    static func write(bytes whole: [UInt8], to descriptor: Int32) -> Int32? {
        var bytes = whole[...]
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
