import AttachmentVault
import DocumentStore
import FieldModels
import FieldRecords
import Foundation

@testable import FieldSync

/// A worker's folder with a site and an inspection, which goes when the value does.
final class TemporaryFolder {
    let root: URL
    let field: FieldDatabase
    /// What the clock says.
    static let now = Timestamp(secondsSince1970: 1_772_619_307)
    static let gateway = "ws://127.0.0.1:1/field"
    let author = Author(name: "mara", moment: now)

    /// - Parameter password: what `login` has kept; `nil` where nobody has signed in.
    init(password: String? = nil) throws {
        root = FileManager.default.temporaryDirectory.appendingPathComponent("sync-\(UUID().uuidString)")
        field = try FieldDatabase.create(
            at: FieldFolder(path: root.appendingPathComponent("records").path), key: .keyFile)
        let hill = District("hill") ?? .unknown
        try field.sites.add(Site(id: "site-mill", name: "Old mill", address: Address(), district: hill), by: author)
        try field.inspections.add(
            Inspection(id: "inspection-1", site: "site-mill", date: CalendarDay(daysSince1970: 20_516), district: hill),
            by: author)
        if let password { try signIn(password: password) }
    }

    deinit {
        try? field.close()
        try? FileManager.default.removeItem(at: root)
    }

    func signIn(password: String, gateway: String = gateway) throws {
        var settings = try FolderSettings(of: field.folder)
        settings.gateway = URL(string: gateway)
        try field.signIn.keep(Credentials(user: "mara", password: password), in: &settings)
        try settings.save(in: field.folder)
    }

    static func environment(_ field: FieldDatabase) -> SyncEnvironment { SyncEnvironment(field: field, now: { now }) }

    /// The part of the folder that is for the sync service.
    func serviceFolder() throws -> ServiceFolder {
        let folder = ServiceFolder(of: field.folder)
        try folder.prepare()
        return folder
    }

    /// The store as a replicator sees it.
    func store() throws -> ReplicationStore {
        try ReplicationStore(database: field.database, remote: "wss://gateway/field")
    }

    func attach(_ name: String, _ bytes: [UInt8], toInspection id: String) throws -> Photo {
        let file = root.appendingPathComponent(name)
        try Data(bytes).write(to: file)
        return try field.photos.attach(file: file.path, toInspection: id, caption: nil, by: author).photo
    }
}
