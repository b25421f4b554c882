extension DatabaseMigrations {
    /// The database folder of a client.
    public static let store = [
        Migration(1, "store-0001-documents", PackageResources.store_0001_documents_sql),
        Migration(2, "store-0002-outbox", PackageResources.store_0002_outbox_sql),
    ]
}
