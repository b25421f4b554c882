/// Faults of files, of the gateway itself, and of the functions that it calls: nothing that another request would mend.
extension GatewayError {
    package static func internalError(_ type: any Error.Type) -> GatewayError {
        GatewayError(500, reason: "Internal error: \(type)")
    }
    /// Writing to a file of an unknown form could damage it.
    package static func newerDatabase(_ path: String) -> GatewayError {
        GatewayError(
            500,
            reason:
                "\(path) was opened by a newer version of the gateway. Use that one, or restore a backup of the older one"
        )
    }
    package static func incompleteDatabase(in folder: String) -> GatewayError {
        GatewayError(
            500,
            reason:
                "The database in \(folder) is not complete. Move the folder away, and restore a backup if it ever held "
                + "documents: fieldbook-gateway restore")
    }
    /// A database whose own values are damaged.
    package static func damagedConfiguration(in file: String, problem: String) -> GatewayError {
        GatewayError(
            500,
            reason:
                "The database file \(file) is damaged: its configuration cannot be read: \(problem). Restore a backup: "
                + "fieldbook-gateway restore --replace")
    }
    /// A database that cannot be opened, with its file and what to do.
    package static func unusableDatabase(_ file: String, problem: String, advice: String) -> GatewayError {
        GatewayError(500, reason: "The database file \(file) cannot be opened: \(problem). \(advice)")
    }
    package static let unmadeDatabaseFile = GatewayError(500, reason: "The database file cannot be made")
    package static let unwritableDatabaseFolder = GatewayError(
        500, reason: "The folder of the database cannot be written")
    package static func unwritableFile(_ path: String, problem: String) -> GatewayError {
        GatewayError(500, reason: "\(path) cannot be written: \(problem)")
    }
    package static func unreadableFile(_ problem: String) -> GatewayError { GatewayError(500, reason: problem) }
    package static func damagedFileStays(_ path: String, problem: String) -> GatewayError {
        GatewayError(500, reason: "\(path) is damaged and cannot be renamed: \(problem)")
    }
    package static func damaged(_ value: String) -> GatewayError {
        GatewayError(500, reason: "Damaged \(value) in storage")
    }
    /// Whether it is `damaged(_:)`.
    var isOfDamagedRow: Bool { status == 500 && reason.utf8.starts(with: "Damaged ".utf8) }
    package static let lostAttachment = GatewayError(500, reason: "An attachment was lost")
    package static let unplannedDocument = GatewayError(500, reason: "A document was not examined")
    package static func unequalAnswers(_ answers: Int, to calls: Int) -> GatewayError {
        GatewayError(500, reason: "The sync function gave \(answers) answers to \(calls) calls")
    }
    package static let noAnswerOfSyncFunction = GatewayError(500, reason: "The sync function gave no answer")
    package static let noAccessToReplace = GatewayError(
        500, reason: "A document that is not stored has no access to replace")
    package static let connectionIsNotLent = GatewayError(
        500, reason: "A connection is used by a task that does not have it")
    package static let writeIsAwaitedTwice = GatewayError(500, reason: "A write is awaited twice")
}
