import FieldModels
import FieldRecords

/// The site that a new record is of, which is asked for where the line does not name it.
struct SiteChoice {
    let session: ShellSession

    func site(_ text: String?, usage: String) throws -> Site {
        var text = text
        while text == nil || text == "" {
            guard session.canAsk, let line = try askForSite() else { throw UsageError(usage) }
            text = line
        }
        let reference = try RecordFinder(session: session).find(text ?? "", among: [.site])
        guard let site = try session.field().sites.find(reference.id) else {
            throw RecordActionError(.notFound, kind: .site, id: reference.id)
        }
        return site
    }

    private func askForSite() throws -> String? {
        let names = try session.field().sites.all().records.map(\.name)
        return try session.questions.line("Site (number, or part of its name): ", completing: names)
    }
}
