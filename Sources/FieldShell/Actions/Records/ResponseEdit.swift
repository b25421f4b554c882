import DocumentValues
import FieldModels
import FieldRecords

/// Changes the site or the district of a filled form; its answers are changed by its questions.
struct ResponseEdit {
    let session: ShellSession
    let reference: RecordReference

    func edit(_ values: [FieldValue]) throws -> Done {
        let wayOut = "Change answers by its questions: fill \(reference.shortID)"
        guard !values.isEmpty else { throw UsageError("Nothing to change was named.", hint: wayOut) }
        let field = try session.field()
        let changes = try values.map { value in
            switch value.field {
            case "site": Change.site(try site(value.text))
            case "district": Change.district(try district(value.text))
            default:
                throw UsageError("A filled form has no field '\(value.field)', only site and district.", hint: wayOut)
            }
        }
        let response = try field.responses.update(reference.id, by: session.author()) { response in
            for change in changes { change.apply(to: &response) }
        }
        return Done("Changed \(reference.shortID).", object: response.identifiedObject)
    }

    private enum Change {
        case site(Site)
        case district(District)

        func apply(to response: inout Response) {
            switch self {
            case .site(let site):
                response.site = site.id
                if let district = site.district { response.envelope.move(to: district) }
            case .district(let district): response.envelope.move(to: district)
            }
        }
    }

    private func site(_ text: String) throws -> Site {
        let found = try RecordFinder(session: session).find(text, among: [.site])
        guard let site = try session.field().sites.find(found.id) else {
            throw RecordActionError(.notFound, kind: .site, id: found.id)
        }
        return site
    }

    private func district(_ text: String) throws -> District {
        guard let district = District(text) else {
            throw UsageError("A district may have letters, digits, '-' and '_', but not '\(text)'.")
        }
        return district
    }
}
