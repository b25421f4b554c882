import DocumentValues

/// Checks of a database's configuration.
extension GatewayDatabaseConfiguration {
    /// Checks types and names that an administrator sends. Settings without effect are checked, too: a mistyped setting
    /// that is ignored would be found too late. Stored settings are not checked again, because then an older database
    /// could not be changed any more.
    static func check(_ json: JSONObject) throws(GatewayError) {
        try ConfigurationMembers.check(json)
        try UnsupportedSettings.check(json)
        // An empty password and the like have no effect.
        let elsewhere = ["users", "roles", "server", "username", "password", "certpath", "keypath", "cacertpath"]
        for name in elsewhere where !(json[name] ?? .null).isNull && json[name] != "" {
            throw .invalidConfiguration(
                "Persisted database config does not support customization of the \"\(name)\" field")
        }
        let imports = json["import_docs"] ?? .null
        guard imports.isNull || imports.boolValue != nil || imports == "continuous" else {
            throw .invalidConfiguration("Unrecognized value for import_docs. Valid values are true and false.")
        }
        let sameSite = json["unsupported"]?["same_site_cookie"] ?? .null
        guard sameSite.isNull || LoginRules.sameSites.contains(sameSite.stringValue ?? "") else {
            let choices = LoginRules.sameSites.joined(separator: ", ")
            throw .invalidConfiguration("unsupported.same_site_cookie is not valid; it may be one of \(choices)")
        }
        let cookieName = json["session_cookie_name"]?.stringValue ?? ""
        guard cookieName.utf8.allSatisfy(LoginRules.isOfCookieName) else {
            throw .invalidConfiguration(
                "session_cookie_name must be of letters, digits, '-', '_' and '.': no client could send such a cookie")
        }
        // It would be visible in plain text from then on, and the guest never signs in with one.
        guard (json["guest"]?["password"]?.stringValue ?? "").isEmpty else {
            throw .invalidConfiguration("guest.password is not offered: a client without a sign-in has no password")
        }
        for name in ["revs_limit", "local_doc_expiry_secs", "old_rev_expiry_seconds"] {
            guard let number = json[name]?.integerValue, number > Int64(UInt32.max) else { continue }
            throw GatewayError.badJSON("\(name) must be at most \(UInt32.max)")
        }
    }

    /// Members of a whole configuration that contradict each other.
    static func checkWhole(_ json: JSONObject) throws(GatewayError) {
        guard let scopes = json["scopes"]?.objectValue, !scopes.isEmpty else { return }
        for (name, text) in [("sync", "sync function"), ("import_filter", "import filter")] {
            guard let value = json[name]?.stringValue, !value.isEmpty else { continue }
            throw .invalidConfiguration("cannot specify a database-level \(text) with named scopes and collections")
        }
    }
}
