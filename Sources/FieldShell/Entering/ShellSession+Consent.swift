/// Whether something may be taken away for good. Commands that delete, discard or overwrite ask by this alone.
extension ShellSession {
    /// - Parameter question: names the records that are lost: `Delete the site Old mill?`
    /// - Returns: the person's answer; yes if `--yes` gave it beforehand.
    /// - Throws: `UsageError` if the user cannot be asked, `Stopped` after Ctrl-C and at the end of the input.
    func consents(to question: String) throws -> Bool {
        if asksNothing { return true }
        guard dialogue.mayConsent else { throw UsageError("\(question) Nobody can be asked here: add --yes") }
        return try questions.confirm("\(question) y or n")
    }
}
