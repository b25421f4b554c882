import DocumentStore
import DocumentValues
import FieldModels

/// Sets back the user's own values that others have replaced.
extension ReceivedChanges {
    /// Gives fields that still have the values of others their former values, and brings back removed photos. It is an
    /// edit like any other. The site, the district and the state stay as they are.
    ///
    /// - Parameter notedAsOwn: the fields that the record notes as the owner's own work, and no others.
    /// - Returns: the changes of the record's fields, a line each; none if no field can be set back, or the photos are
    ///   not on this laptop any more.
    /// - Throws: `RecordActionError` where the inspection is approved, or there is no such record; `RecordError` where the
    ///   record would not be a good one with these values. Nothing is saved then.
    public func setBack(_ changes: ChangesByOthers, notedAsOwn: Bool = false, by author: Author) throws -> [String] {
        try database.inBatch {
            let before = try present(changes.record)
            try checkIsNotApproved(changes.record, as: before)
            let fields = try changes.restorable(in: before, notedAsOwn: notedAsOwn).filter(isHere)
            guard !fields.isEmpty else { return [] }
            try setBack(changes.record, fields: fields, by: author)
            let lines =
                RecordDifference.lines(from: before, to: try present(changes.record))
                + ChangesByOthers.askedAgain(fields, in: before)
            // The former values are still kept: this edit may be taken back, or refused and given up.
            try note([changes], as: .read)
            return lines
        }
    }

    /// The texts and photos of others that are lost by setting the fields back.
    ///
    /// - Returns: `nil` if no field can be set back.
    public func lossesOfSettingBack(_ changes: ChangesByOthers, notedAsOwn: Bool = false) throws -> UndoLosses? {
        guard try isThere(changes.record.kind, id: changes.record.id) else { return nil }
        let now = try present(changes.record)
        do { try checkIsNotApproved(changes.record, as: now) } catch is RecordActionError { return nil }
        let fields = try changes.restorable(in: now, notedAsOwn: notedAsOwn).filter(isHere)
        guard !fields.isEmpty else { return nil }
        var losses = UndoLosses()
        losses.add(changes.record, before: ChangesByOthers.restored(now, fields: fields), present: now)
        return losses
    }

    private func present(_ record: RecordReference) throws -> JSONObject {
        guard let document = try collection(of: record.kind).document(id: record.id) else {
            throw RecordActionError(.notFound, kind: record.kind, id: record.id)
        }
        return document.body
    }

    private func setBack(_ record: RecordReference, fields: [ChangesByOthers.Field], by author: Author) throws {
        switch record.kind {
        case .inspection:
            try inspections.update(record.id, by: author, as: .restoring) { inspection in
                let restored = ChangesByOthers.restored(inspection.object, fields: fields)
                inspection = try Inspection(id: inspection.id, object: restored)
            }
        case .finding:
            try findings.update(record.id, by: author, as: .restoring) { finding in
                let restored = ChangesByOthers.restored(finding.object, fields: fields)
                finding = try Finding(id: finding.id, object: restored)
            }
        case .site:
            try sites.update(record.id, by: author, as: .restoring) { site in
                site = try Site(id: site.id, object: ChangesByOthers.restored(site.object, fields: fields))
            }
        case .response:
            try responses.update(record.id, by: author, as: .restoring) { response in
                let restored = ChangesByOthers.restored(response.object, fields: fields)
                response = try Response(id: response.id, object: restored)
            }
        case .form, .assignment: break
        }
    }

    /// A photo's bytes may have been lost since.
    private func isHere(_ field: ChangesByOthers.Field) throws -> Bool {
        guard field.path.isItem, let photo = field.before else { return true }
        let digest = photo["blob"]?[BlobMetadata.digestProperty]?.stringValue.flatMap { BlobDigest($0) }
        return try digest.map { try database.blobStorage().contains($0) } ?? false
    }

    /// The gateway lets only supervisors change an approved inspection.
    private func checkIsNotApproved(_ record: RecordReference, as object: JSONObject) throws {
        let approved = Inspection.Status.approved.rawValue
        if record.kind == .inspection, object["status"]?.stringValue?.isExactly(approved) == true {
            throw RecordActionError(.closed(status: approved), kind: .inspection, id: record.id)
        }
        guard record.kind == .finding, let id = object["inspection"]?.stringValue,
            try inspections.findReadable(id)?.status == .approved
        else { return }
        throw RecordActionError(.partOfClosed(status: approved, inspection: id), kind: .finding, id: record.id)
    }
}
