import DocumentStore
import DocumentValues
import FieldModels

extension RecordRepository where Record == Finding {
    /// The findings of one inspection in the order of their ids, and the unreadable ones among them: ``all()`` for a
    /// command that is about one inspection. Findings of other inspections are not read as JSON, which takes most of the
    /// time: colleagues may add any number of findings to an inspection of theirs, and that must not slow down the work
    /// on another one.
    public func all(ofInspection inspection: String) throws -> RecordList<Finding> {
        var list = RecordList<Finding>()
        let ties = try InspectionTies<Finding>(inspections)
        let name = Array(inspection.utf8)
        try collection.forEachBody { id, json in
            guard Self.mayHave(name, in: json) else { return }
            do {
                let finding = try Finding(id: id, body: json)
                if finding.inspection.isExactly(inspection), !ties.hides(finding) { list.records.append(finding) }
            } catch let error as RecordError {
                list.unreadable.append(error)
            }
        }
        return list
    }

    /// The findings of some inspections, and the unreadable ones among them. Of all other findings it reads only the
    /// inspection.
    func all(ofInspections names: Set<Name>) throws -> RecordList<Finding> {
        var list = RecordList<Finding>()
        let ties = try InspectionTies<Finding>(inspections)
        try collection.forEachBody { id, json in
            // For a body that is no object, the reader itself reports the reason.
            let object = JSONObject.readable(json)
            if let object {
                guard let name = object["inspection"]?.stringValue, names.contains(Name(name)) else { return }
            }
            do {
                let finding = try object.map { try Finding(id: id, object: $0) } ?? Finding(id: id, body: json)
                if !ties.hides(finding) { list.records.append(finding) }
            } catch let error as RecordError {
                list.unreadable.append(error)
            }
        }
        return list
    }

    /// Whether a text with these bytes may be a value of this JSON: with an escape in it, it may be spelled in another way.
    private static func mayHave(_ text: [UInt8], in json: [UInt8]) -> Bool {
        json.hasPart(text) || json.hasPart([UInt8(ascii: "\\")])
    }
}
