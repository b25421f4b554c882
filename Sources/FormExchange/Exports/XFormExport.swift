import DocumentValues
import FormLogic

/// Writes a form as an XForm, the way pyxform does.
package enum XFormExport {
    private static let namespaces: [(String, String?)] = [
        ("xmlns", "http://www.w3.org/2002/xforms"), ("xmlns:h", "http://www.w3.org/1999/xhtml"),
        ("xmlns:ev", "http://www.w3.org/2001/xml-events"), ("xmlns:xsd", "http://www.w3.org/2001/XMLSchema"),
        ("xmlns:jr", "http://openrosa.org/javarosa"), ("xmlns:orx", "http://openrosa.org/xforms"),
        ("xmlns:odk", "http://www.opendatakit.org/xforms"),
        ("xmlns:entities", "http://www.opendatakit.org/xforms/entities"),
    ]

    /// Parts of the form that XForms do not have.
    package static func losses(of form: Form) -> [String] {
        var losses: [String] = []
        if form.title.isTranslated { losses.append("the title in all languages but one") }
        if case .inspection = form.record { losses.append("the members of an inspection that answers fill") }
        return losses
    }

    package static func write(_ form: Form) -> [UInt8] {
        let context = ExportContext(form)
        let texts = ExportTexts(context)
        var markup = MarkupWriter()
        markup.begin("h:html", attributes: namespaces)
        markup.begin("h:head")
        markup.element("h:title") { $0.write(form.title.single(form)) }
        writeModel(context, texts: texts, to: &markup)
        markup.end()
        markup.begin("h:body", attributes: [("class", form.settings.style)])
        ControlWriter(context: context, texts: texts).write(form.nodes, below: context.root, to: &markup)
        markup.end()
        markup.end()
        return Array(markup.text.utf8)
    }

    private static func writeModel(_ context: ExportContext, texts: ExportTexts, to markup: inout MarkupWriter) {
        let form = context.form
        markup.begin(
            "model",
            attributes: [
                ("odk:xforms-version", "1.0.0"),
                ("entities:entities-version", form.entities.isEmpty ? nil : "2024.1.0"),
            ])
        writeSubmission(form, to: &markup)
        texts.write(to: &markup, context: context)
        InstanceWriter(context: context).write(to: &markup)
        let binds = BindWriter(context: context, texts: texts)
        context.visit { spot in binds.write(spot, to: &markup) }
        writeEntities(context, to: &markup)
        let meta = "/\(form.root.text)/meta"
        if !form.settings.omitInstanceID {
            markup.element(
                "bind",
                with: [
                    "nodeset": "\(meta)/instanceID", "type": "string", "readonly": "true()", "jr:preload": "uid",
                ])
        }
        if let name = form.instanceName {
            let path = context.root.appending("meta").appending("instanceName")
            markup.element(
                "bind",
                with: [
                    "nodeset": "\(meta)/instanceName", "type": "string",
                    "calculate": context.expression(name, at: path),
                ])
        }
        markup.end()
    }

    private static func writeSubmission(_ form: Form, to markup: inout MarkupWriter) {
        let rest = form.settings.rest
        let attributes: [(String, String?)] = [
            ("action", rest["submission_url"]?.stringValue), ("orx:auto-send", rest["auto_send"]?.stringValue),
            ("orx:auto-delete", rest["auto_delete"]?.stringValue),
            ("odk:client-editable", form.settings.clientEditable ? "true" : nil),
        ]
        guard attributes.contains(where: { $0.1 != nil }) else { return }
        let method = rest["submission_url"] == nil ? nil : "post"
        markup.element("submission", attributes: attributes + [("method", method)])
    }

    private static func writeEntities(_ context: ExportContext, to markup: inout MarkupWriter) {
        for entity in context.form.entities {
            let owner = entity.repeat.flatMap { context.paths.path($0) } ?? context.root
            let path = owner.appending("meta").appending("entity")
            for (part, text) in [
                ("@create", entity.createIf), ("@update", entity.updateIf), ("@id", entity.entityID),
                ("label", entity.label),
            ] {
                let own = path.appending(Name(part))
                guard let text else {
                    if part == "@id" { writeNewID(own, to: &markup) }
                    continue
                }
                markup.element(
                    "bind",
                    with: [
                        "nodeset": own.text, "calculate": context.expression(text, at: own),
                        "readonly": "true()", "type": "string",
                    ])
            }
        }
    }

    private static func writeNewID(_ path: XFormPath, to markup: inout MarkupWriter) {
        let text = path.text
        markup.element("bind", with: ["nodeset": text, "readonly": "true()", "type": "string"])
        markup.element("setvalue", with: ["ref": text, "event": "odk-instance-first-load", "value": "uuid()"])
    }
}
