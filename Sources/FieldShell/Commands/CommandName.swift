/// The commands of the shell.
public enum CommandName: String, Sendable, Hashable, CaseIterable {
    case initialize = "init"
    case login
    case passphrase
    case today
    case start
    case sites
    case find
    case log
    case diff
    case view
    case undo
    case new
    case edit
    case list
    case show
    case attach
    case photo
    case submit
    case approve
    case sendBack = "return"
    case delete
    case sync
    case service
    case status
    case outbox
    case conflicts
    case quarantine
    case importFiles = "import"
    case export
    case form
    case fill
    case shell
    case more
    case help
    case quit
}
