extension DatabaseMigrations {
    /// A gateway's database.
    public static let gateway = [
        Migration(1, name: "gateway-0001-documents", sql: PackageResources.gateway_0001_documents_sql),
        Migration(2, name: "gateway-0002-one-time-sessions", sql: PackageResources.gateway_0002_one_time_sessions_sql),
        Migration(3, name: "gateway-0003-old-revisions", sql: PackageResources.gateway_0003_old_revisions_sql),
        Migration(4, name: "gateway-0004-branches", sql: PackageResources.gateway_0004_branches_sql),
        Migration(
            5, name: "gateway-0005-replaced-attachments", sql: PackageResources.gateway_0005_replaced_attachments_sql),
        Migration(
            6, name: "gateway-0006-local-document-owners", sql: PackageResources.gateway_0006_local_document_owners_sql),
        Migration(7, name: "gateway-0007-grant-counts", sql: PackageResources.gateway_0007_grant_counts_sql),
        Migration(
            8, name: "gateway-0008-grant-counts-by-document",
            sql: PackageResources.gateway_0008_grant_counts_by_document_sql),
        Migration(9, name: "gateway-0009-grants-by-giver", sql: PackageResources.gateway_0009_grants_by_giver_sql),
    ]
}
