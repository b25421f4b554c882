extension DatabaseMigrations {
    /// The database folder of a client.
    public static let store = [
        Migration(1, name: "store-0001-documents", sql: PackageResources.store_0001_documents_sql),
        Migration(2, name: "store-0002-outbox", sql: PackageResources.store_0002_outbox_sql),
        Migration(3, name: "store-0003-indexes", sql: PackageResources.store_0003_indexes_sql),
        Migration(
            4, name: "store-0004-times-and-numbers", sql: PackageResources.store_0004_times_and_numbers_sql),
        Migration(5, name: "store-0005-counters", sql: PackageResources.store_0005_counters_sql),
    ]
}
