/// How many letters the screen of the line editor still takes. What comes behind them, mostly with a long paste, is kept beside
/// it, so that a text is entered as a whole.
struct LineRoom {
    enum Taken: Equatable {
        /// It is the line editor's.
        case edited
        /// It is the first that has no room.
        case firstBeside
        case beside
        /// Nothing is kept of it.
        case lost
    }

    private var room: Int
    private let most: Int
    private var beside = String.UnicodeScalarView()
    private var besideCount = 0
    private var lost = 0
    private var escape = Escape.none

    /// Keys such as arrows arrive as several letters.
    private enum Escape { case none, begun, sequence }

    /// - Parameters:
    ///   - room: letters for the line editor.
    ///   - most: letters that are kept beside it.
    init(_ room: Int = ShellLimits.editedLetters, most: Int = ShellLimits.lettersBesideLine) {
        self.room = room
        self.most = most
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Taken {
        if isOfEscape(scalar) { return .edited }
        guard scalar.value >= 0x20, scalar.value != 0x7F else { return takeKey(scalar) }
        guard room <= 0 else {
            room -= 1
            return .edited
        }
        guard besideCount < most else {
            lost += 1
            return .lost
        }
        beside.append(scalar)
        besideCount += 1
        return besideCount == 1 ? .firstBeside : .beside
    }

    /// Backspace takes the last letter away, which the screen does not have; Ctrl-U takes all of them.
    private mutating func takeKey(_ scalar: Unicode.Scalar) -> Taken {
        let isBackspace = scalar.value == 0x7F || scalar.value == 0x08
        if isBackspace, beside.popLast() != nil {
            besideCount -= 1
            return .beside
        }
        if scalar.value == 0x15 {
            beside = String.UnicodeScalarView()
            (besideCount, lost) = (0, 0)
        }
        return .edited
    }

    private mutating func isOfEscape(_ scalar: Unicode.Scalar) -> Bool {
        switch escape {
        case .none:
            if scalar == "\u{1B}" { escape = .begun }
            return escape == .begun
        case .begun:
            escape = scalar == "[" || scalar == "O" ? .sequence : .none
        case .sequence:
            if (0x40...0x7E).contains(scalar.value) { escape = .none }
        }
        return true
    }

    /// - Parameter line: as the editor has it.
    func whole(_ line: String) -> String { beside.isEmpty ? line : line + String(beside) }

    /// What a person cannot see on the screen.
    func note(on line: String) -> String? {
        guard besideCount > 0 else { return nil }
        let shown = line.unicodeScalars.count
        let taken = "The line shows the first \(shown) letters"
        guard lost > 0 else { return "\(taken); all \(shown + besideCount) were taken." }
        return "\(taken); \(shown + besideCount) were taken, and \(lost) were cut off behind them."
    }
}
