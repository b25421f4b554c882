import CEditline
import Foundation
import Glibc
import Synchronization

/// The C library that edits lines. Its callbacks cannot capture values, so their state is kept here.
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
        let signals = LineSignals { LineEditor.take($0) }
        /// Until the first key is read.
        var prompt: String?
        var cutOff: CutOff?
        /// How often the library was given Enter since then.
        var entered = 0
    }

    /// The reason why a line ends without being entered.
    private enum CutOff {
        case interrupted
        /// The terminal gives nothing more.
        case ended
        case signalled(Int32)
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

    /// - Parameter rescue: takes the text of the line if the program ends.
    static func read(_ prompt: String, rescue: (String) -> Void = { _ in }) -> Reply {
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
        let pointer = readline(prompt)
        defer { free(pointer) }
        let text = pointer.map { String(cString: $0) }
        if text == nil { Terminal.write("\n", to: STDOUT_FILENO) }
        if let cutOff = state.withLock({ $0.line?.cutOff }) {
            return end(by: cutOff, of: state.withLock { $0.room.whole(text ?? "") }, rescue: rescue)
        }
        guard let text else { return .end }
        return state.withLock { state in
            if let note = state.room.note(on: text) { Terminal.writeWrapped(note, to: STDOUT_FILENO) }
            return .line(state.room.whole(text))
        }
    }

    private static func end(by cutOff: CutOff, of text: String, rescue: (String) -> Void) -> Reply {
        switch cutOff {
        case .interrupted: return .interrupted(unfinished: text)
        case .ended: rescue(text)
        case .signalled(let number):
            rescue(text)
            SignalledLine.endProgram(by: number)
        }
        return .end
    }

    /// - Returns: whether the line goes on.
    private static func take(_ number: Int32) -> Bool {
        guard SignalledLine.cutsOff(number) else {
            SignalledLine.take(number)
            return true
        }
        state.withLock { $0.line?.cutOff = .signalled(number) }
        return false
    }

    /// - Returns: a wide character; Enter at the end of the input and after Ctrl-C.
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
        return enter()
    }

    /// The library hands over a line that is entered, and no other. Keys that wait for more, such as Escape or the search of
    /// the history, take the first Enter, and would take the first key of the next line without it.
    ///
    /// - Returns: -1 if that does not enter the line, for example because the user has bound the keys otherwise.
    private static func enter() -> Int32 {
        let isInterrupt = state.withLock { state in
            state.line?.entered += 1
            guard case .interrupted? = state.line?.cutOff else { return false }
            return state.line?.entered == 1
        }
        if isInterrupt { Terminal.write("^C", to: STDOUT_FILENO) }
        let entered = state.withLock { $0.line?.entered ?? 0 }
        return entered <= ShellLimits.entersOfCutOff ? 0x0A : -1
    }

    private static func nextByte(of line: Line) -> UInt8? {
        while true {
            if let byte = state.withLock({ $0.bytes.popFirst() }) { return byte }
            if state.withLock({ $0.line?.cutOff != nil }) { return nil }
            if let byte = line.input.byte(of: STDIN_FILENO, actingOn: line.signals) {
                state.withLock { $0.bytes += $0.paste.take(byte) }
            } else {
                noteEnd(isInterrupted: line.input.isInterrupted)
            }
        }
    }

    private static func noteEnd(isInterrupted: Bool) {
        state.withLock { state in
            // A signal is noted by itself.
            guard state.line?.cutOff == nil else { return }
            state.line?.cutOff = isInterrupted ? .interrupted : .ended
            state.paste.forgetBeginning()
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
