import ArgumentParser
import DocumentValues
import GatewayServer

/// The sign-in and the mail address of a user: options of every command that makes or changes one.
struct AccountOptions: ParsableArguments {
    @Option(help: "A file whose first line is the password.")
    var passwordFile: String?

    @Option(help: "The user's mail address.")
    var email: String?

    func validate() throws { try email.map(TypedMailAddress.check) }

    /// - Returns: the password in the file; `nil` without a file.
    func password() throws -> String? { try passwordFile.map(PasswordFile.read) }
}

/// The changes of these that are possible for an existing user.
struct SignInChanges: ParsableArguments {
    @OptionGroup var signIn: AccountOptions

    @Flag(help: "Sets a new random password and shows it once.")
    var newPassword = false

    @Flag(inversion: .prefixedEnableDisable, help: "Whether the user may sign in.")
    var login: Bool?

    func validate() throws {
        guard signIn.passwordFile == nil || !newPassword else {
            throw ValidationError("Give --password-file or --new-password, not both")
        }
    }

    /// The members of a user as the admin port takes them, and the password to show, if one was generated.
    func members(isNew: Bool) throws -> (members: JSONObject, shown: String?) {
        var members: JSONObject = [:]
        var shown: String?
        if let password = try signIn.password() {
            members["password"] = .string(password)
        } else if isNew || newPassword {
            let password = GatewaySetup.newPassword()
            members["password"] = .string(password)
            shown = password
        }
        if let email = signIn.email { members["email"] = .string(email) }
        if let login { members["disabled"] = .bool(!login) }
        return (members, shown)
    }
}
