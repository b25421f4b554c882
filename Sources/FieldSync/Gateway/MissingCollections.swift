import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

extension FieldDatabase {
    /// Kinds of which there are records here, and for which a gateway has no collection.
    func kindsHere(amongMissing names: [CollectionName]) throws -> [RecordKind] {
        names.compactMap { RecordKind(collection: $0) }.filter { collection(of: $0).count > 0 }
    }
}
