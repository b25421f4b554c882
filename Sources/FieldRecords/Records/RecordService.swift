import DocumentStore
import DocumentValues
import FieldModels

/// A service for the records of a folder. Each service of a ``FieldDatabase`` is a value with the records, with the services
/// that it calls, and with the journal or the pages of others' changes where it reads or writes these itself: what a service
/// changes in a record is noted there by the repository.
protocol RecordService: Sendable {
    var store: RecordStore { get }
}

extension RecordService {
    var database: Database { store.database }

    var sites: RecordRepository<Site> { store.sites }
    var inspections: RecordRepository<Inspection> { store.inspections }
    var findings: RecordRepository<Finding> { store.findings }
    var forms: RecordRepository<FormDefinition> { store.forms }
    var assignments: RecordRepository<Assignment> { store.assignments }
    var responses: RecordRepository<Response> { store.responses }

    func collection(of kind: RecordKind) -> Collection { store.collection(of: kind) }
    func isThere(_ kind: RecordKind, id: String) throws -> Bool { try store.isThere(kind, id: id) }
    func isDeleted(_ kind: RecordKind, id: String) throws -> Bool { try store.isDeleted(kind, id: id) }
    func isKnownToGateway(_ kind: RecordKind, id: String) throws -> Bool { try store.isKnownToGateway(kind, id: id) }
    func lacksInspection(_ object: JSONObject) throws -> Bool { try store.lacksInspection(object) }

    func gatewayBody(of kind: RecordKind, _ id: String) throws -> JSONObject? {
        try store.gatewayBody(of: kind, id)
    }
}
