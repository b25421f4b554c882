/// Where passphrases and passwords come from: a file or a terminal, never the arguments, which every user of the
/// machine can read.
struct SecretSource {
    let dialogue: any Dialogue

    /// The first line of a file.
    func read(file path: String) throws(SecretError) -> String {
        let line = try SecretLine(file: path)
        if let warning = line.warning { dialogue.show(warning) }
        return line.text
    }

    /// - Returns: `nil` at the end of the input.
    func ask(_ prompt: String) throws(Stopped) -> String? {
        switch dialogue.askSecret(prompt) {
        case .line(let text): return text
        case .interrupted: throw Stopped()
        case .end: return nil
        }
    }

    /// Asks twice, until both are the same. Back at another prompt a person would type the next try there, where it is
    /// shown.
    ///
    /// - Throws: `SecretError` at the end of the input, `Stopped` after Ctrl-C.
    func choose(_ what: String) throws -> String {
        while let first = try ask("\(what) (not shown): ") {
            guard first.count >= 8 else {
                dialogue.show("At least 8 characters, please.")
                continue
            }
            guard let second = try ask("Again: ") else { break }
            if first.utf8.elementsEqual(second.utf8) { return first }
            dialogue.show("They differ. Once more; Ctrl-C leaves.")
        }
        throw SecretError("No \(what.lowercased()) was chosen.")
    }
}
