import DocumentValues

extension GatewayDatabaseConfiguration {
    /// The default values of settings that have an effect here and are not in `json`.
    var defaults: JSONObject {
        [
            "allow_conflicts": .bool(allowsConflicts), "allow_empty_password": .bool(allowsEmptyPasswords),
            "delta_sync": [
                "enabled": .bool(deltaSync.isEnabled), "rev_max_age_seconds": .int(deltaSync.maxAge),
            ],
            "disable_password_auth": .bool(loginRules.refusesPasswords),
            "disable_public_all_docs": .bool(loginRules.hidesAllDocuments),
            "javascript_timeout_secs": .int(Int64(syncFunctionTime?.components.seconds ?? 0)),
            "local_doc_expiry_secs": .int(retention.localDocumentSeconds),
            "max_attachment_size_mb": .int(attachmentSize >> 20),
            "offline": .bool(startsOffline), "old_rev_expiry_seconds": .int(retention.replacedAttachmentSeconds),
            "revs_limit": .int(retention.revisions), "send_www_authenticate_header": .bool(loginRules.asksForPassword),
            "serve_insecure_attachment_types": .bool(loginRules.showsActiveAttachments),
            "session_cookie_http_only": .bool(loginRules.isCookieHTTPOnly),
            "session_cookie_name": .string(loginRules.cookieName),
        ]
    }
}
