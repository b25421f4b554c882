/// A question that is longer than the screen is wide, broken at its spaces: the library that edits lines would let the
/// terminal break it anywhere.
enum LongPrompt {
    /// - Returns: the lines to be shown above the prompt, then the prompt itself with its space at the end.
    static func lines(of prompt: String, columns: Int) -> [String] {
        let room = max(1, columns - ShellLimits.answerRoom)
        guard prompt.displayWidth > room else { return [prompt] }
        var lines = prompt.wrapped(to: room)
        if prompt.utf8.last == UInt8(ascii: " "), let last = lines.popLast() { lines.append(last + " ") }
        return lines
    }
}
