extension DatabaseMigrations {
    /// A gateway's database.
    public static let gateway = [
        Migration(1, "gateway-0001-documents", PackageResources.gateway_0001_documents_sql),
        Migration(2, "gateway-0002-one-time-sessions", PackageResources.gateway_0002_one_time_sessions_sql),
        Migration(3, "gateway-0003-old-revisions", PackageResources.gateway_0003_old_revisions_sql),
        Migration(4, "gateway-0004-branches", PackageResources.gateway_0004_branches_sql),
        Migration(5, "gateway-0005-replaced-attachments", PackageResources.gateway_0005_replaced_attachments_sql),
        Migration(6, "gateway-0006-local-document-owners", PackageResources.gateway_0006_local_document_owners_sql),
        Migration(7, "gateway-0007-grant-counts", PackageResources.gateway_0007_grant_counts_sql),
    ]
}
