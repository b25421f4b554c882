/// The number of letters that the screen of the line editor still takes. Further letters, mostly of a long paste, are kept
/// beside it, so that a text is entered as a whole.
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

    private let letters: Int
    private let most: Int
    /// Letters that the line editor has.
    private var edited = 0
    private var beside = String.UnicodeScalarView()
    private var besideCount = 0
    private var lost = 0
    private var escape = Escape.none

    /// Keys such as arrows arrive as several letters.
    private enum Escape { case none, begun, sequence }

    /// - Parameters:
    ///   - letters: for the line editor.
    ///   - most: letters that are kept beside it.
    init(_ letters: Int = ShellLimits.editedLetters, most: Int = ShellLimits.lettersBesideLine) {
        self.letters = letters
        self.most = most
    }

    mutating func take(_ scalar: Unicode.Scalar) -> Taken {
        if isOfEscape(scalar) { return .edited }
        guard scalar.value >= 0x20, scalar.value != 0x7F else { return takeKey(scalar) }
        guard edited >= letters else {
            edited += 1
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

    /// Backspace removes the last letter, Ctrl-U all of them. Letters removed from the screen leave space there, so that the
    /// next typed ones are seen.
    private mutating func takeKey(_ scalar: Unicode.Scalar) -> Taken {
        if scalar.value == 0x7F || scalar.value == 0x08 {
            guard beside.popLast() == nil else {
                besideCount -= 1
                return .beside
            }
            edited = max(0, edited - 1)
        } else if scalar.value == 0x15 {
            beside = String.UnicodeScalarView()
            (edited, besideCount, lost) = (0, 0, 0)
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

    /// The note about letters that are not on the screen.
    func note(on line: String) -> String? {
        guard besideCount > 0 else { return nil }
        let shown = line.unicodeScalars.count
        let taken = "The line shows the first \(shown) letters"
        guard lost > 0 else { return "\(taken); all \(shown + besideCount) were taken." }
        return "\(taken); \(shown + besideCount) were taken, and \(lost) were cut off behind them."
    }
}
