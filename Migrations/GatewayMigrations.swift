extension DatabaseMigrations {
    /// A gateway's database.
    public static let gateway = [
        Migration(1, "gateway-0001-documents", PackageResources.gateway_0001_documents_sql)
    ]
}
