import Foundation

/// Where passphrases and passwords come from: a file or a terminal, never the arguments, which every user of the
/// machine can read.
struct SecretSource {
    let dialogue: any Dialogue

    /// The first line of a file.
    func read(file path: String) throws(SecretError) -> String {
        let url = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
        let bytes: [UInt8]
        do {
            let handle = try FileHandle(forReadingFrom: url)
            defer { try? handle.close() }
            bytes = Array(try handle.read(upToCount: ShellLimits.secretFile) ?? Data())
        } catch {
            throw SecretError("The file \(path) cannot be read: \(error.localizedDescription)")
        }
        let line = bytes.prefix { $0 != 0x0A && $0 != 0x0D }
        guard let text = String(validating: line, as: UTF8.self), !text.isEmpty else {
            throw SecretError("The first line of \(path) is empty or no text.")
        }
        return text
    }

    /// Asks twice, until both are the same.
    func choose(_ what: String) throws(SecretError) -> String {
        for _ in 0..<ShellLimits.passphraseTries {
            guard let first = dialogue.askSecret("\(what) (not shown): ") else { break }
            guard first.count >= 8 else {
                dialogue.tell("At least 8 characters, please.")
                continue
            }
            guard let second = dialogue.askSecret("Again: ") else { break }
            if first == second { return first }
            dialogue.tell("They differ.")
        }
        throw SecretError("No \(what.lowercased()) was chosen.")
    }
}

/// A passphrase or a password that could not be got.
struct SecretError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
