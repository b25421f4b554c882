import CEditline
import Foundation
import Glibc
import Synchronization

/// The C library that edits lines. Its callbacks can capture nothing, so what they need is kept here.
enum LineEditor {
    private struct State {
        var completer = Completer()
        var matches: ArraySlice<String> = []
        /// There all the while one is edited, so that Ctrl-C between two keys counts too.
        var line: Line?
        var paste = PasteFilter()
        /// Of the line that is edited.
        var room = LineRoom()
        /// Read, and not yet given to the library.
        var bytes: ArraySlice<UInt8> = []
    }

    /// A line that is edited.
    private struct Line {
        let input = InterruptibleInput()
        let signals = LineSignals(take: SignalledLine.take)
        /// Until the first key is read.
        var prompt: String?
    }

    private static let state = Mutex(State())

    static var completer: Completer {
        get { state.withLock { $0.completer } }
        set { state.withLock { $0.completer = newValue } }
    }

    static func begin() {
        fieldbook_leave_signals()
        fieldbook_set_reader(readCharacter)
        fieldbook_set_completion(completionGenerator)
    }

    static func read(_ prompt: String) -> Reply {
        let line = Line(prompt: prompt)
        let completesLines = state.withLock { state in
            state.line = line
            state.room = LineRoom()
            return state.completer.completesLines
        }
        fieldbook_complete_lines(completesLines ? 1 : 0)
        Terminal.write(PasteFilter.begin, to: STDOUT_FILENO)
        defer {
            Terminal.write(PasteFilter.end, to: STDOUT_FILENO)
            state.withLock { $0.line = nil }
            line.signals.putBack()
        }
        guard let pointer = readline(prompt) else {
            Terminal.write(line.input.isInterrupted ? "^C\n" : "\n", to: STDOUT_FILENO)
            return line.input.isInterrupted ? .interrupted : .end
        }
        defer { free(pointer) }
        let text = String(cString: pointer)
        return state.withLock { state in
            if let note = state.room.note(on: text) { Terminal.writeWrapped(note, to: STDOUT_FILENO) }
            return .line(state.room.whole(text))
        }
    }

    /// - Returns: a wide character; -1 at the end of the input and after Ctrl-C.
    fileprivate static func nextCharacter() -> Int32 {
        let present = state.withLock { state in
            defer { state.line?.prompt = nil }
            return state.line
        }
        guard let line = present else { return -1 }
        if let prompt = line.prompt { SignalledLine.begin(behind: prompt) }
        var decoder = KeyDecoder()
        while let byte = nextByte(of: line) {
            switch decoder.take(byte) {
            case .incomplete: continue
            case .scalar(let scalar):
                switch state.withLock({ $0.room.take(scalar) }) {
                case .edited: return Int32(scalar.value)
                case .firstBeside, .lost: Terminal.write("\u{7}", to: STDOUT_FILENO)
                case .beside: break
                }
                decoder = KeyDecoder()
            case .malformed(let isFirstOfNext):
                // A key that was pressed behind half a character is not lost with it.
                if isFirstOfNext { state.withLock { $0.bytes = [byte] + $0.bytes } }
                return Int32(Unicode.Scalar("\u{FFFD}").value)
            }
        }
        return -1
    }

    private static func nextByte(of line: Line) -> UInt8? {
        while true {
            if let byte = state.withLock({ $0.bytes.popFirst() }) { return byte }
            guard let byte = line.input.byte(of: STDIN_FILENO, actingOn: line.signals) else { return nil }
            state.withLock { $0.bytes += $0.paste.take(byte) }
        }
    }

    fileprivate static func completion(of text: String, restarts: Bool) -> String? {
        let line = String(cString: fieldbook_line())
        let cursor = Int(fieldbook_cursor())
        return state.withLock { state in
            if restarts {
                let before = String(decoding: line.utf8.prefix(cursor), as: UTF8.self)
                state.matches = state.completer.completions(of: text, behind: before)[...]
                let isFolder = state.matches.count == 1 && state.matches.first?.hasSuffix("/") == true
                fieldbook_set_completion_end(isFolder || state.completer.completesLines ? 0 : 0x20)
            }
            return state.matches.popFirst()
        }
    }
}

private func readCharacter(_ stream: UnsafeMutablePointer<FILE>?) -> Int32 { LineEditor.nextCharacter() }

private func completionGenerator(_ text: UnsafePointer<CChar>?, state: Int32) -> UnsafeMutablePointer<CChar>? {
    let beginning = text.map { String(cString: $0) } ?? ""
    return LineEditor.completion(of: beginning, restarts: state == 0).flatMap { strdup($0) }
}
