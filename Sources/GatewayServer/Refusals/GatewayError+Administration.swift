import GatewayCore

/// Administrators' routes: databases, their users, functions and logs.
extension GatewayError {
    static func notOffered(_ reason: String) -> GatewayError { GatewayError(501, reason: reason) }
    static let creationAtPublicPort = GatewayError(403, reason: "Creating a DB over the public API is unsupported")
    static let redactionStays = GatewayError(400, reason: "redact=false is no longer supported")
    static let redactedDocument = GatewayError(
        400,
        reason: "redact and include_doc cannot be true at the same time. If you want to redact you must specify "
            + "include_doc=false")
    static func unavailableAudit(_ advice: String) -> GatewayError {
        GatewayError(501, reason: "The audit log is one for all databases, with all events; \(advice)")
    }
    static let unknownAction = GatewayError(400, reason: "Unknown parameter for 'action'. Must be start or stop")
    static let unknownCompaction = GatewayError(
        400, reason: "Unknown parameter for 'type'. Must be 'tombstone' or 'attachment'")
    static let noSuchChannel = GatewayError(404, reason: "no such channel")
    static let missingPurgeIDs = GatewayError(400, reason: "_purge document ID's must be passed as a JSON")
    static let limitOfNames = GatewayError(400, reason: "Use of limit only supported when name_only=false")
    static let missingUserName = GatewayError(400, reason: "Invalid or missing user name")
    static let invalidLifetime = GatewayError(400, reason: "Invalid or missing ttl")
    static let noSession = GatewayError(404, reason: "no session")
    static func fixedSetting(_ name: String) -> GatewayError {
        GatewayError(
            400,
            reason:
                "Unable to configure given options at runtime: json: unknown field \"\(name)\": unrecognized JSON field"
        )
    }
    static let logLevelInBody = GatewayError(
        400, reason: "Can't set log level in body, please use \"logLevel\" query parameter instead.")
    static let invalidLogKeys = GatewayError(400, reason: "Invalid JSON or non-boolean values for log key map")
    static func unknownLogLevel(_ name: String) -> GatewayError {
        GatewayError(
            400, reason: "unrecognized log level: \"\(name)\" (valid options: [none error warn info debug trace])")
    }
    static let invalidFunctionText = GatewayError(400, reason: "The function is not a text in UTF-8")
    static func emptyFunction(_ name: String) -> GatewayError {
        GatewayError(
            400,
            reason:
                "The body is empty, so nothing was changed: send the function's text, or take the function away with "
                + "DELETE …/_config/\(name)")
    }
    static let trialWithoutID = GatewayError(400, reason: "The document has no _id; say which document it is to be")
    static let trialOfTwo = GatewayError(400, reason: "document and id cannot be combined")
    static let trialOfNone = GatewayError(400, reason: "Say which document: document, or the id of a stored one")
    static let invalidAdministratorHash = GatewayError(500, reason: "The hash is no text")
}
