import AccessControl
import DocumentValues

/// Sign-ins, sessions, users and roles, and their grants.
extension GatewayError {
    package static let loginRequired = GatewayError(401, reason: "Login required")
    package static let invalidLogin = GatewayError(401, reason: "Invalid login")
    package static let invalidSession = GatewayError(401, reason: "Session Invalid")
    package static let endedSession = GatewayError(401, reason: "Session no longer valid for user")
    /// The authorization has ended.
    package static let signInAgain = GatewayError(401, reason: "Sign in again")
    package static let disabledUser = GatewayError(400, reason: "User is disabled")
    package static let deletedUser = GatewayError(503, reason: "The user was deleted")
    package static func noSuchUser(_ name: Name) -> GatewayError {
        GatewayError(404, reason: "No such user \"\(name)\"")
    }
    package static let tooManyLogins = GatewayError(429, reason: "Too many logins at once")
    package static let tooManyNewPasswords = GatewayError(429, reason: "Too many new passwords at once")
    package static let uncheckedPassword = GatewayError(
        503, reason: "The gateway had no time to check the password; try again")
    package static func emptyPassword(_ change: String) -> GatewayError {
        GatewayError(400, reason: "\(change): Empty passwords are not allowed ")
    }
    package static func shortPassword(_ change: String) -> GatewayError {
        GatewayError(400, reason: "\(change): Passwords must be at least three 3 characters")
    }
    package static let missingName = GatewayError(400, reason: "Missing name property")
    package static let otherName = GatewayError(400, reason: "Name mismatch (can't change name)")
    package static func invalidName(_ problem: String) -> GatewayError {
        GatewayError(400, reason: "invalid name: \(problem)")
    }
    package static func invalidRole(_ name: Name) -> GatewayError {
        GatewayError(400, reason: "Invalid role name \(JSONValue.string(name.text))")
    }
    package static let guestStays = GatewayError(
        405, reason: "The GUEST user cannot be deleted. Only disabled via an update.")
    package static let otherPrincipal = GatewayError(
        412, reason: "The user or role is not as If-Match or If-None-Match says: another request has changed it")
    package static let alreadyExists = GatewayError(409, reason: "Already exists")
    package static let deletedByOther = GatewayError(
        409, reason: "Deleted by another request at the same time; try again")
    package static func readOnlyMember(_ name: String) -> GatewayError {
        GatewayError(400, reason: "\(name) is read-only")
    }
    package static let readOnlyMembers = GatewayError(400, reason: "Can't change read-only properties")
    package static let emptyChannelName = GatewayError(400, reason: "Illegal channel name \"\"")
    package static func longChannelName(_ beginning: JSONValue) -> GatewayError {
        GatewayError(400, reason: "The channel \(beginning) has more than \(AccessLimits.channelNameLength) bytes")
    }
    package static func tooManyGrants(_ count: Int, to principal: Name) -> GatewayError {
        GatewayError(
            413,
            reason:
                "Documents would grant \(count) channels and roles to \(principal); \(AccessLimits.grantsPerPrincipal) "
                + "are allowed. Grant fewer, wider channels, or a role that has them")
    }
    package static func tooManyGrants(_ count: Int, by giver: Name, to principal: Name) -> GatewayError {
        GatewayError(
            413,
            reason:
                "Documents that \(giver) wrote would grant \(count) channels and roles to \(principal). One user may grant as "
                + "many of the \(AccessLimits.grantsPerPrincipal) as are left for all others. Grant fewer, wider channels, "
                + "or a role that has them")
    }
    package static func tooManyStays(of principal: Name, by giver: Name) -> GatewayError {
        GatewayError(
            413,
            reason:
                "Documents that \(giver) wrote have granted channels and roles to \(principal) too often. Documents of other "
                + "users can still grant them, and so can an administrator")
    }
    package static func tooManyStays(of principal: Name) -> GatewayError {
        GatewayError(
            413,
            reason:
                "Documents have granted channels and roles to \(principal) \(AccessLimits.staysPerPrincipal) times, and can "
                + "grant no more. An administrator can grant them instead, or delete the user and make it again")
    }
}
