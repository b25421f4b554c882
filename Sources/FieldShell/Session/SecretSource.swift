import DocumentValues
import FieldRecords
import Foundation

/// Where passphrases and passwords come from: a file or a terminal, never the arguments, which every user of the
/// machine can read.
struct SecretSource {
    let dialogue: any Dialogue

    /// The first line of a file.
    func read(file path: String) throws(SecretError) -> String {
        let url = URL(fileURLWithPath: HomeFolder.expanding(path))
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            bytes = Array(try handle.read(upToCount: ShellLimits.secretFile) ?? Data())
        } catch {
            throw SecretError("The file \(path) cannot be read: \(error.localizedDescription)")
        }
        if let warning = SecretWarnings.readable(url.path) { dialogue.show(warning) }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw SecretError("The first line of \(path) is empty or no text.")
        }
        return text
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

/// A passphrase or a password that could not be got.
struct SecretError: UserFacingError {
    let description: String

    init(_ description: String) { self.description = description }
}
