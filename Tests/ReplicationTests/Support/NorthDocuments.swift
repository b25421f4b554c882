import DocumentStore
import SyncModels

@testable import Replication

/// Documents that hold one text, and random changes of them on either side.
enum NorthDocument {
    static func body(_ text: String) -> String { #"{"c":"north","v":"\#(text)"}"# }
}

extension LoopbackGateway {
    func edit(_ id: String, _ text: String, isDeletion: Bool) {
        // Nobody is notified of a deletion of what is deleted.
        let isDeletion = isDeletion && revision(id)?.isDeleted == false
        put(id, isDeletion ? "{}" : NorthDocument.body(text), isDeleted: isDeletion)
    }
}

extension Laptop {
    func edit(_ id: String, _ text: String, isDeletion: Bool) throws {
        guard let document = try collection.document(id: id)?.toMutable() else {
            return try put(id, NorthDocument.body(text))
        }
        if isDeletion { return try collection.delete(document: document) }
        document.setString(text, forKey: "v")
        try collection.save(document: document)
    }
}
